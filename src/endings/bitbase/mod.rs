//! Endgame bitbases of draughts: the winner of every position with few pieces.
//!
//! Each [`Material`] has a table with the value of every position with White to move: win, draw or
//! loss under best play by both sides. With Black to move, the board is turned. A player without
//! moves has lost (FMJD 7.2). A position that neither side can win is a draw.
//!
//! The tables ignore the move limits of FMJD 6.2 to 6.4, because the move counters are not part of
//! a position. A win in the tables may therefore be a draw under these rules.
//!
//! The tables store values only for positions without captures. [`Bitbases::probe`] resolves
//! captures, which lead to fewer pieces.

pub(crate) mod build;
pub mod index;
pub(crate) mod material;
mod solve;
mod table;
pub(crate) mod verify;

pub(crate) use material::{MAX_PIECES, Material};
pub use table::TableError;

use crate::base::side::Side;
use crate::draughts::{Board, Position, Variant, movegen};
use etcetera::BaseStrategy;
use std::fs;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::Table;

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A draw.
    Draw,
    /// A win.
    Win,
}

impl Wdl {
    /// Returns the value for the other side.
    #[inline(always)]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// The reason why bitbases cannot be opened or built.
#[derive(Debug, thiserror::Error)]
pub enum BitbaseError {
    /// The file or folder cannot be read or written.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, io::Error),
    /// A table is invalid. The number is the offset of the table in the file.
    #[error("{path}, table at byte {at}: {error}", path = .0.display(), at = .1, error = .2)]
    Table(PathBuf, usize, TableError),
    /// The folder has no bitbase.
    #[error("there is no bitbase (*.{EXTENSION}) in {path}", path = .0.display())]
    Empty(PathBuf),
    /// The work was stopped.
    #[error("stopped")]
    Stopped,
}

pub(crate) const EXTENSION: &str = "bb";

#[derive(Debug)]
enum Bytes {
    Shipped(&'static [u8]),
    Own(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Shipped(bytes) => bytes,
            Self::Own(bytes) => bytes,
        }
    }
}

/// A set of tables, which can be cloned cheaply and read without a lock.
#[derive(Clone, Debug)]
pub struct Bitbases {
    tables: Vec<Table>,
    /// For each [`Material::code`], the index in `tables`, or [`NO_TABLE`].
    places: Box<[u8; Material::CODES]>,
    largest: u32,
}

const NO_TABLE: u8 = u8::MAX;

impl Default for Bitbases {
    fn default() -> Self {
        Self { tables: Vec::new(), places: Box::new([NO_TABLE; Material::CODES]), largest: 0 }
    }
}

impl Bitbases {
    /// Returns the embedded tables, which cover up to four pieces.
    pub fn shipped() -> Self {
        let mut bitbases = Self::default();
        // A test checks that the embedded tables are valid.
        let read = bitbases.add(Bytes::Shipped(include_bytes!("endings.bb")));
        debug_assert!(read.is_ok(), "{read:?}");
        bitbases
    }

    /// Returns the default folder for larger tables: the value of the environment variable
    /// `ADOUBE_BITBASES`, or `adoube/bitbases` in the user's data folder. Returns `None` if the
    /// user has no home folder.
    pub fn default_folder() -> Option<PathBuf> {
        let named = std::env::var_os("ADOUBE_BITBASES").map(PathBuf::from);
        named.or_else(|| {
            let data = etcetera::choose_base_strategy().ok()?.data_dir();
            Some(data.join("adoube").join("bitbases"))
        })
    }

    /// Returns the embedded tables and, if the default folder exists, the tables in it. Probing is
    /// limited to positions with up to `pieces` pieces.
    pub fn with_default_folder(pieces: u32) -> Result<Self, BitbaseError> {
        let mut bitbases = Self::shipped();
        if let Some(folder) = Self::default_folder().filter(|folder| folder.is_dir()) {
            bitbases.read(&folder, pieces)?;
        }
        Ok(bitbases.up_to(pieces))
    }

    /// Limits probing to positions with up to `pieces` pieces.
    pub fn up_to(self, pieces: u32) -> Self {
        Self { largest: self.largest.min(pieces), ..self }
    }

    /// Opens the tables in a folder.
    ///
    /// # Errors
    /// Fails if the folder cannot be read or has no table, or if a file is damaged.
    pub fn open(folder: &Path) -> Result<Self, BitbaseError> {
        let mut bitbases = Self::default();
        bitbases.read(folder, MAX_PIECES)?;
        if bitbases.tables.is_empty() {
            return Err(BitbaseError::Empty(folder.to_owned()));
        }
        Ok(bitbases)
    }

    /// Adds the tables in the files of a folder. A file is skipped if its first table has more than
    /// `pieces` pieces. The files are read, not memory-mapped, so that truncating a file later does
    /// no harm. Probing is equally fast either way.
    fn read(&mut self, folder: &Path, pieces: u32) -> Result<(), BitbaseError> {
        let io = |error| BitbaseError::Io(folder.to_owned(), error);
        for entry in fs::read_dir(folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            if path.extension().is_some_and(|extension| extension == EXTENSION) {
                let bytes = read_file(&path, pieces);
                let bytes = bytes.map_err(|error| BitbaseError::Io(path.clone(), error))?;
                if let Some(bytes) = bytes {
                    self.add(Bytes::Own(bytes))
                        .map_err(|(at, error)| BitbaseError::Table(path, at, error))?;
                }
            }
        }
        Ok(())
    }

    /// Adds the tables in the bytes of a file. On failure, the error contains the offset of the
    /// invalid table.
    fn add(&mut self, bytes: Bytes) -> Result<(), (usize, TableError)> {
        let bytes = Arc::new(bytes);
        let mut at = 0;
        while at < bytes.len() || at == 0 {
            let table = Table::read(&bytes, at).map_err(|error| (at, error))?;
            at = table.end();
            match self.places[table.material().code()] {
                NO_TABLE => {
                    self.places[table.material().code()] = self.tables.len() as u8;
                    self.tables.push(table);
                }
                place => self.tables[usize::from(place)] = table,
            }
        }
        let whole =
            |pieces: &u32| Material::all(*pieces).iter().all(|&material| self.has(material));
        self.largest = (2..=MAX_PIECES).take_while(whole).last().unwrap_or(0);
        Ok(())
    }

    pub(crate) fn has(&self, material: Material) -> bool {
        self.places[material.code()] != NO_TABLE
    }

    pub(crate) fn bytes(&self, material: Material) -> Option<u64> {
        self.tables.get(usize::from(self.places[material.code()])).map(Table::len)
    }

    /// Returns the maximum number of pieces for probing. All tables with this number of pieces or
    /// fewer are available. Returns 0 if there are no tables.
    pub const fn largest(&self) -> u32 {
        self.largest
    }

    /// Returns the value of a position for the side to move, with or without captures. Returns
    /// `None` if the position has more pieces than [`Self::largest`], if the opponent has no piece,
    /// or if the variant is not `Variant::Normal`.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Wdl> {
        let board = position.board();
        let fits = board.occupied().len() <= self.largest
            && board.pieces(!position.side()).any()
            && position.variant() == Variant::Normal;
        if fits { self.value(board, position.side()) } else { None }
    }

    /// Returns the value of a board for `side`, whose turn it is, or `None` if a table is missing.
    fn value(&self, board: &Board, side: Side) -> Option<Wdl> {
        let mut best = Some(Wdl::Loss);
        let captures = movegen::each_capture(board, side, |m| {
            self.improve(&mut best, &board.after(side, m.from, m.to, m.taken), !side);
        });
        if captures {
            return best;
        }
        if board.pieces(side).is_empty() {
            return Some(Wdl::Loss);
        }
        let place = self.places[Material::of(board, side).code()];
        Some(self.tables.get(usize::from(place))?.value(board, side))
    }

    /// Raises `best` to the value of the position `after`, from the point of view of the player who
    /// has just moved.
    #[inline(always)]
    fn improve(&self, best: &mut Option<Wdl>, after: &Board, to_move: Side) {
        if let Some(so_far) = *best
            && so_far < Wdl::Win
        {
            *best = self.value(after, to_move).map(|value| so_far.max(value.opposite()));
        }
    }
}

/// Reads a file. Returns `None` if the first table has more than `pieces` pieces. Only regular
/// files are accepted, because opening a pipe would wait for a writer.
fn read_file(path: &Path, pieces: u32) -> io::Result<Option<Vec<u8>>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut file = fs::File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(table::HEADER as u64).read_to_end(&mut bytes)?;
    if table::pieces(&bytes).is_some_and(|found| found > pieces) {
        return Ok(None);
    }
    file.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::build::{Builder, Event};
    use super::*;
    use crate::base::rng::Rng;
    use crate::base::shard::Shard;
    use crate::draughts::{Bitboard, Square};
    use std::collections::HashMap;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    fn build(folder: &Path, pieces: u32) -> (Bitbases, Vec<Material>) {
        let built = Mutex::new(Vec::new());
        let report = |event| {
            if let Event::Table { material, .. } = event {
                built.lock().expect("no panic").push(material);
            }
        };
        let builder = Builder::new(folder, pieces).expect("a folder");
        let bitbases = builder.run(&AtomicBool::new(false), &report).expect("built");
        (bitbases, built.into_inner().expect("no panic"))
    }

    fn positions(material: Material) -> Vec<Position> {
        let layout = index::Layout::of(material);
        let sizes = index::Layout::sizes(material);
        let sets = [0, 1, 2, 3].map(|i| index::sets(index::Group::ALL[i], sizes[i]));
        let board = |index| {
            let digits = layout.split(index);
            let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| sets[i][digits[i] as usize]);
            Board::of_groups([a, b], [c, d])
        };
        let boards = (0..layout.len).filter_map(board);
        boards.map(|board| Position::try_from((board, Side::White)).expect("legal")).collect()
    }

    /// Turns the board and swaps the colours.
    fn turned(position: &Position) -> Position {
        let board = position.board();
        let of = |sets: fn(&Board, Side) -> Bitboard| {
            [Side::Black, Side::White].map(|side| sets(board, side).turned())
        };
        let turned = Board::of_groups(of(Board::men), of(Board::kings)).expect("no square shared");
        Position::try_from((turned, !position.side())).expect("legal")
    }

    #[test]
    fn builder_reproduces_the_embedded_tables() {
        let folder = tempfile::tempdir().expect("a folder");
        let (built, tables) = build(folder.path(), 3);
        assert_eq!((built.largest(), tables.len()), (3, 16));
        let shipped = Bitbases::shipped();
        assert_eq!(shipped.largest(), 4);
        for table in &built.tables {
            let place = shipped.places[table.material().code()];
            let same = shipped.tables[usize::from(place)].raw() == table.raw();
            assert!(same, "{}", table.material());
        }
        // Existing tables are not rebuilt, except the counterpart of a missing table.
        for name in ["kk-k.bb", "m-k.bb"] {
            fs::remove_file(folder.path().join(name)).expect("it was there");
        }
        fs::write(folder.path().join("m-k.1.tmp"), "adbb").expect("written");
        let (built, tables) = build(folder.path(), 3);
        let names: Vec<_> = tables.iter().map(Material::to_string).collect();
        assert_eq!(names, ["k-m", "m-k", "k-kk", "kk-k"]);
        assert_eq!(built.largest(), 3);
        let opened = Bitbases::open(folder.path()).expect("tables");
        assert_eq!(opened.largest(), 3);
    }

    #[test]
    fn tolerates_truncation_of_open_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let (built, _) = build(folder.path(), 3);
        let opened = Bitbases::open(folder.path()).expect("tables");
        for entry in fs::read_dir(folder.path()).expect("a folder") {
            let file = fs::File::options().write(true).open(entry.expect("a file").path());
            file.and_then(|file| file.set_len(1)).expect("cut");
        }
        assert!(Bitbases::open(folder.path()).is_err());
        for material in Material::all(3) {
            for position in positions(material).iter().step_by(997) {
                assert_eq!(opened.probe(position), built.probe(position));
            }
        }
    }

    #[test]
    fn skips_tables_larger_than_requested() {
        let folder = tempfile::tempdir().expect("a folder");
        build(folder.path(), 3);
        // The damage is detected only if the file is read.
        let path = folder.path().join("kk-k.bb");
        let mut bytes = fs::read(&path).expect("built");
        *bytes.last_mut().expect("not empty") ^= 1;
        fs::write(&path, bytes).expect("written");
        let read = |pieces| {
            let mut bitbases = Bitbases::default();
            bitbases.read(folder.path(), pieces).map(|()| bitbases.largest())
        };
        assert_eq!(read(2).expect("sound"), 2);
        assert!(read(3).is_err());
    }

    #[test]
    fn reads_only_regular_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("k-k.bb");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        // Without named pipes, use a folder, which is not a regular file either.
        if !made.is_ok_and(|status| status.success()) {
            fs::create_dir(&pipe).expect("a folder");
        }
        let error = Bitbases::open(folder.path()).expect_err("no file").to_string();
        assert!(error.contains("k-k.bb") && error.contains("not a regular file"), "{error}");
    }

    #[test]
    fn stopped_builder_leaves_no_partial_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let builder = Builder::new(folder.path(), 2).expect("a folder");
        let stopped = builder.run(&AtomicBool::new(true), &|_| {});
        assert!(matches!(stopped, Err(BitbaseError::Stopped)), "{stopped:?}");
        assert!(matches!(Bitbases::open(folder.path()), Err(BitbaseError::Empty(_))));
    }

    #[test]
    fn values_with_up_to_three_pieces_follow_from_the_next_ply() {
        let shipped = Bitbases::shipped();
        let third: Shard = "1/3".parse().expect("a shard");
        for material in (2..=3).flat_map(Material::all) {
            let verify = |shard| {
                let stop = AtomicBool::new(false);
                verify::verify(&shipped, material, shard, &stop, &|_| {}).expect("all")
            };
            let findings = verify(Shard::WHOLE);
            assert_eq!((findings.wrong, findings.example), (0, None), "{material}");
            assert_eq!(findings.positions(), material.positions(), "{material}");
            let merged = third.all().map(verify).reduce(verify::Findings::and);
            assert_eq!(merged, Some(findings), "{material}");
        }
    }

    #[test]
    fn values_with_four_pieces_follow_from_the_next_ply() {
        let shipped = Bitbases::shipped();
        let mut rng = Rng::new(4);
        let mut below = |n: u64| rng.next_u64() % n;
        let all = Material::all(4);
        let (mut looked_at, mut captures) = (0, 0);
        while looked_at < 50_000 {
            let material = all[below(25) as usize];
            let sizes = index::Layout::sizes(material);
            let groups = sizes.map(|size| {
                let squares = (0..size).filter_map(|_| Square::new(below(50) as u32 + 1));
                squares.collect::<Bitboard>()
            });
            let [a, b, c, d] = groups;
            let Some(board) = Board::of_groups([a, b], [c, d]) else { continue };
            let Ok(position) = Position::try_from((board, Side::White)) else { continue };
            let moves = position.legal_moves();
            let values = moves.iter().map(|&m| shipped.probe(&position.play(m)));
            let best = values.map(|value| value.expect("a value").opposite()).max();
            let value = Some(best.unwrap_or(Wdl::Loss));
            assert_eq!(shipped.probe(&position), value, "{position}");
            assert_eq!(shipped.probe(&turned(&position)), value, "{position}");
            captures += u32::from(position.can_capture());
            looked_at += 1;
        }
        assert!(captures > 5000, "{captures}");
    }

    // Naive iteration proves that each value is forced and not merely consistent with the values
    // after one ply.
    #[test]
    fn naive_solver_agrees() {
        let shipped = Bitbases::shipped();
        let mut values: HashMap<u64, Wdl> = HashMap::new();
        for names in [&["k-k"][..], &["m-k", "k-m"], &["m-m"], &["kk-k", "k-kk"], &["kk-m", "m-kk"]]
        {
            let all = (2..=3).flat_map(Material::all);
            let of = all.filter(|material| names.contains(&material.to_string().as_str()));
            let of: Vec<_> = of.flat_map(positions).flat_map(|p| [p, turned(&p)]).collect();
            assert!(!of.is_empty());
            let mut open: Vec<_> = of.iter().collect();
            loop {
                let before = open.len();
                open.retain(|position| {
                    let replies = position.legal_moves();
                    let values_after = replies.iter().map(|&m| {
                        let after = position.play(m);
                        let over = after.board().pieces(after.side()).is_empty();
                        if over { Some(Wdl::Loss) } else { values.get(&after.key()).copied() }
                    });
                    let (mut won, mut lost) = (false, true);
                    for value in values_after {
                        won |= value == Some(Wdl::Loss);
                        lost &= value == Some(Wdl::Win);
                    }
                    if won || lost {
                        values.insert(position.key(), if won { Wdl::Win } else { Wdl::Loss });
                    }
                    !(won || lost)
                });
                if open.len() == before {
                    break;
                }
            }
            for position in &of {
                let value = values.get(&position.key()).copied().unwrap_or(Wdl::Draw);
                assert_eq!(shipped.probe(position), Some(value), "{position}");
            }
        }
    }

    #[test]
    fn probes_textbook_endings() {
        let shipped = Bitbases::shipped();
        let value = |fen: &str| shipped.probe(&fen.parse().expect(fen));
        // A king that cannot be captured immediately draws against one or two kings.
        assert_eq!(value("W:WK46:BK1"), Some(Wdl::Draw));
        assert_eq!(value("W:WK1,K2:BK46"), Some(Wdl::Draw));
        // Three kings win, unless the lone king holds the long diagonal from 5 to 46.
        assert_eq!(value("W:WK6,K16,K48:BK25"), Some(Wdl::Win));
        assert_eq!(value("W:WK6,K16,K48:BK5"), Some(Wdl::Draw));
        assert_eq!(value("B:WK5:BK6,K35,K45"), Some(Wdl::Draw));
        // The only piece is captured.
        assert_eq!(value("W:W32:B28"), Some(Wdl::Win));
        // Black is blocked. A player without moves has lost (FMJD 7.2.3).
        assert_eq!(value("B:W41,47:B36"), Some(Wdl::Loss));
        // Not in the tables: five pieces, or pieces of only one side.
        assert_eq!(value("W:W31,32,33:B1,2"), None);
        assert_eq!(value("W:W31:B"), None);
        assert_eq!(value("W:W:B1"), Some(Wdl::Loss));
        let three = shipped.clone().up_to(3);
        assert_eq!(three.probe(&"W:WK6,K16,K48:BK25".parse().expect("FEN")), None);
    }

    #[test]
    fn rejects_damaged_tables() {
        let shipped = Bitbases::shipped();
        let place = shipped.places[Material::all(2)[0].code()];
        let whole = shipped.tables[usize::from(place)].raw().to_vec();
        let error = |bytes: Vec<u8>| Bitbases::default().add(Bytes::Own(bytes)).err();
        assert_eq!(error(whole.clone()), None);
        assert_eq!(error([whole.clone(), whole.clone()].concat()), None);
        for len in 0..whole.len() {
            assert_eq!(error(whole[..len].to_vec()), Some((0, TableError::Short)), "{len}");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                assert!(error(damaged).is_some(), "byte {at}, bit {bit}");
            }
        }
        let after = [whole.clone(), b"no table".to_vec()].concat();
        assert_eq!(error(after), Some((whole.len(), TableError::Short)));
        let after = [whole.clone(), vec![b'x'; 100]].concat();
        assert_eq!(error(after), Some((whole.len(), TableError::Magic)));

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("k-k.bb");
        fs::write(&path, &whole[..50]).expect("written");
        let error = Bitbases::open(folder.path()).expect_err("it is damaged");
        let expected = format!("{}, table at byte 0: the table is truncated", path.display());
        assert_eq!(error.to_string(), expected);
        let missing = Bitbases::open(&folder.path().join("none")).expect_err("not there");
        assert!(matches!(missing, BitbaseError::Io(..)), "{missing}");
    }
}
