// Accepted: one pass over the row with a stack, as in `linear_stack.rs`.

import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class LinearStack {
    record Bone(int id, int left, int right) {}

    // The bone with this number, its smaller number of pips on the left, or turned round.
    static Bone bone(int id, boolean turned) {
        int low = 0, first = 1;
        while (id >= first + 7 - low) {
            first += 7 - low;
            low++;
        }
        int high = low + id - first;
        return turned ? new Bone(id, high, low) : new Bone(id, low, high);
    }

    static List<Bone> eliminate(List<Bone> row) {
        List<Bone> kept = new ArrayList<>();
        for (Bone bone : row) {
            int last = kept.size() - 1;
            if (last >= 0 && kept.get(last).right() == bone.left()) {
                kept.remove(last);
            } else {
                kept.add(bone);
            }
        }
        return kept;
    }

    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        StringBuilder out = new StringBuilder("RESULTS OF ELIMINATIONS\n\n");
        List<Bone> row = new ArrayList<>();
        while (scanner.hasNext()) {
            int id = scanner.nextInt();
            String orientation = scanner.next();
            if (id != 0) {
                row.add(bone(id, !orientation.equals("F")));
                continue;
            }
            List<Bone> kept = eliminate(row);
            out.append("\n");
            for (Bone bone : kept) {
                out.append(bone.id()).append(' ');
            }
            out.append(kept.isEmpty() ? "DATASET CLEARED\n" : "\n");
            row.clear();
        }
        System.out.print(out);
    }
}
