//! Texts as GCC writes them, and small changes of them. Must not compile anything.

use super::*;

/// A function as GCC writes it, with a constant before it and a table of jumps and a rare part in it.
fn function(name: &str, label: usize, (constant, step, entry): (&str, &str, &str)) -> String {
    let [a, b, c] = [label, label + 1, label + 2];
    format!(
        "\t.section\t.rodata.cst8\n\t.align 8\n.LC{a}:\n\t.long\t0\n\t.long\t{constant}\n\t.text\n\t.p2align 4\n\
         \t.globl\t{name}\n\t.type\t{name}, @function\n{name}:\n.LFB{a}:\n\tmovsd\t.LC{a}(%rip), %xmm0\n\
         \taddl\t{step}, %eax\n\tjmp\t*.L{b}(,%rdi,8)\n\t.section\t.rodata\n.L{b}:\n\t.quad\t.L{c}\n\t.quad\t{entry}\n\
         \t.text\n.L{c}:\n\tret\n\t.section\t.text.unlikely\n{name}.cold:\n\tud2\n\t.text\n\t.size\t{name}, .-{name}\n\
         \t.section\t.text.unlikely\n\t.size\t{name}.cold, .-{name}.cold\n"
    )
}

const PLAIN: (&str, &str, &str) = ("1072693248", "$1", "0");

fn compared(one: (&str, &str, &str), other: (&str, &str, &str)) -> Comparison {
    let text = function("_Z2c0v", 1, one) + &function("_Z2c1v", 11, other);
    Assembly::read(&text).compare("c0", "c1")
}

#[test]
fn labels_and_names_mean_nothing_and_all_else_does() {
    assert_eq!(compared(PLAIN, PLAIN), Comparison::Same);
    assert_eq!(compared(PLAIN, ("1072693249", "$1", "0")), Comparison::Different, "another constant");
    assert_eq!(compared(PLAIN, ("1072693248", "$2", "0")), Comparison::Different, "another instruction");
    assert_eq!(compared(PLAIN, ("1072693248", "$1", "1")), Comparison::Different, "another table");
}

#[test]
fn other_labels_at_the_same_places_are_another_function() {
    let function = |name: &str, first: &str, second: &str| {
        format!("{name}:\n\tjmp\t{first}\n{first}:\n\tnop\n{second}:\n\tret\n\t.size\t{name}, .-{name}\n")
    };
    let same = function("c0", ".L1", ".L2") + &function("c1", ".L4", ".L3");
    assert_eq!(Assembly::read(&same).compare("c0", "c1"), Comparison::Same);
    let jumps = function("c0", ".L1", ".L2") + &function("c1", ".L3", ".L4").replace("jmp\t.L3", "jmp\t.L4");
    assert_eq!(Assembly::read(&jumps).compare("c0", "c1"), Comparison::Different);
}

#[test]
fn what_belongs_to_a_function_alone_is_compared_too() {
    let text = |name: &str, value: &str, inner: &str| {
        format!(
            "{name}:\n\tcall\t_ZZ{name}ENKUlvE_clEv\n\tmovl\t_ZZ{name}E1x(%rip), %eax\n\t.size\t{name}, .-{name}\n\
             _ZZ{name}ENKUlvE_clEv:\n\t{inner}\n\t.size\t_ZZ{name}ENKUlvE_clEv, .-_ZZ{name}ENKUlvE_clEv\n\t.data\n\
             \t.type\t_ZZ{name}E1x, @object\n\t.size\t_ZZ{name}E1x, 4\n_ZZ{name}E1x:\n\t.long\t{value}\n\t.text\n\
             \t.comm\t_ZZ{name}E1y,{value},4\n"
        )
    };
    let compared = |value: &str, inner: &str| {
        Assembly::read(&(text("c0", "3", "ret") + &text("c1", value, inner))).compare("c0", "c1")
    };
    assert_eq!(compared("3", "ret"), Comparison::Same);
    assert_eq!(compared("4", "ret"), Comparison::Different, "a variable begins with something else");
    assert_eq!(compared("3", "leave"), Comparison::Different, "a lambda does something else");
    let one_more = text("c0", "3", "ret") + &text("c1", "3", "ret") + "_Zc1x:\n\t.zero\t4\n";
    assert_eq!(Assembly::read(&one_more).compare("c0", "c1"), Comparison::Different, "one has more");
}

#[test]
fn what_cannot_be_told_is_not_the_same() {
    let lone = "c0:\n\tret\n\t.size\tc0, .-c0\n";
    assert_eq!(Assembly::read(lone).compare("c0", "c1"), Comparison::Unknown, "there is no such function");
    assert_eq!(Assembly::read("").compare("c0", "c1"), Comparison::Unknown, "there is neither");
    let constant =
        |name: &str, label: &str| format!("{name}:\n\tmovsd\t{label}(%rip), %xmm0\n\t.size\t{name}, .-{name}\n");
    let shared = constant("c0", ".LC1") + &constant("c1", ".LC2") + "\t.set\t.LC1,.LC3\n\t.set\t.LC2,.LC3\n";
    assert_eq!(Assembly::read(&shared).compare("c0", "c1"), Comparison::Unknown, "constants are not where they stand");
    let empty = constant("c0", ".LC1") + &constant("c1", ".LC2") + ".LC1:\n.LC2:\n\t.long\t1\n";
    assert_eq!(Assembly::read(&empty).compare("c0", "c1"), Comparison::Unknown, "one begins where the other does");
    // In C a variable in a function has the number of nobody.
    let numbered = "c0:\n\tincl\tx.1(%rip)\n\t.size\tc0, .-c0\nc1:\n\tincl\tx.0(%rip)\n\t.size\tc1, .-c1\n";
    assert_eq!(Assembly::read(numbered).compare("c0", "c1"), Comparison::Unknown);
}

#[test]
fn tables_of_exceptions_count_from_the_edges_of_a_function() {
    let function = |name: &str, number: usize, place: &str| {
        format!(
            "\t.section\t.text.unlikely\n.LCOLDB{number}:\n\t.text\n{name}:\n\tcall\tf\n\t.section\t.text.unlikely\n\
             {name}.cold:\n\tnop\n.LEHB{number}:\n\tcall\t_Unwind_Resume@PLT\n\t.section\t.gcc_except_table\n\
             \t.uleb128 {place}{number}-.LCOLDB{number}\n\t.text\n\t.size\t{name}, .-{name}\n"
        )
    };
    let compared =
        |place: &str| Assembly::read(&(function("c0", 3, ".LEHB") + &function("c1", 4, place))).compare("c0", "c1");
    assert_eq!(compared(".LEHB"), Comparison::Same);
    assert_eq!(compared(".LCOLDB"), Comparison::Different);
}

#[test]
fn one_that_calls_the_other_is_not_the_same() {
    let text = "c0:\n\tcall\tf\n\t.size\tc0, .-c0\nc1:\n\tjmp\tc0\n\t.size\tc1, .-c1\n";
    assert_eq!(Assembly::read(text).compare("c0", "c1"), Comparison::Different);
}
