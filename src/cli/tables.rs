//! Tables that fit the terminal.

use comfy_table::{Cells, ContentArrangement, Table, presets};

/// Table width for files and pipes, which have no width of their own.
const DEFAULT_WIDTH: u16 = 120;

/// Returns an empty table with this header, as wide as the terminal.
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
