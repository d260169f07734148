template <int depth, class... types>
struct bomb : bomb<depth - 1, types..., int>, bomb<depth - 1, types..., long> {
    static_assert(sizeof...(types) == depth, "a long message, again and again");
};

template <class... types>
struct bomb<0, types...> {};

int main() { bomb<22> all; }
