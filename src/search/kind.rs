//! The node kinds of a principal variation search (T. Marsland and M. Campbell, 1982). The kinds
//! are types, so that the compiler specializes the search for each kind.

pub(crate) trait NodeKind {
    const ROOT: bool;
    /// True for nodes with an open window.
    const PV: bool;
}

#[derive(Debug)]
pub(crate) struct RootNode;
#[derive(Debug)]
pub(crate) struct PvNode;
#[derive(Debug)]
pub(crate) struct NullWindow;

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
