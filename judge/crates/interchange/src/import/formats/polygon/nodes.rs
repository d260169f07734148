//! Finds XML elements by their names.

use roxmltree::Node;

/// Returns the first child with this name.
pub(super) fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children()
        .find(|child| child.tag_name().name() == name)
}

/// Returns the elements at a path below a node.
pub(super) fn below<'a, 'i: 'a>(
    node: Option<Node<'a, 'i>>,
    path: &[&str],
) -> impl Iterator<Item = Node<'a, 'i>> {
    let mut nodes: Vec<Node<'a, 'i>> = node.into_iter().collect();
    for name in path {
        nodes = nodes
            .into_iter()
            .flat_map(|node| {
                node.children()
                    .filter(|child| child.tag_name().name() == *name)
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    nodes.into_iter()
}

/// Returns the text of the child with this name, or an empty text.
pub(super) fn text(node: Node<'_, '_>, name: &str) -> String {
    child(node, name)
        .and_then(|child| child.text())
        .unwrap_or_default()
        .trim()
        .to_owned()
}
