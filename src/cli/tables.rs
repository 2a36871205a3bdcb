//! Tables that fit the terminal.

use comfy_table::{Cells, ContentArrangement, Table, presets};

/// The table width, in columns, if standard output is not a terminal.
const DEFAULT_WIDTH: u16 = 120;

/// Creates a table with a header and no rows. Cells are wrapped to the width of the terminal.
pub(super) fn table(header: impl Into<Cells>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if table.width().is_none() {
        table.set_width(DEFAULT_WIDTH);
    }
    table.set_header(header);
    table
}
