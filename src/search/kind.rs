//! The kinds of nodes of a principal variation search (T. Marsland and M. Campbell, 1982). They are
//! types, so that the search is compiled for each kind.

/// What is known of a node at compile time.
pub trait NodeKind {
    /// The root.
    const ROOT: bool;
    /// A node with an open window.
    const PV: bool;
}

/// The root of the tree.
#[derive(Debug)]
pub struct RootNode;
/// A node on the principal variation.
#[derive(Debug)]
pub struct PvNode;
/// A node searched with a null window.
#[derive(Debug)]
pub struct NullWindow;

impl NodeKind for RootNode {
    const ROOT: bool = true;
    const PV: bool = true;
}
impl NodeKind for PvNode {
    const ROOT: bool = false;
    const PV: bool = true;
}
impl NodeKind for NullWindow {
    const ROOT: bool = false;
    const PV: bool = false;
}
