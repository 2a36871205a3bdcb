//! Endgame bitbases of draughts: the winner of every position with few pieces.
//!
//! Each [`Material`] has a table with the value of every position with White to move: win, draw or
//! loss under best play by both sides. With Black to move, the board is rotated by 180 degrees and
//! the colours are swapped. A player without moves has lost (FMJD 7.2) or, in losing draughts, won.
//! A position that neither side can win is a draw.
//!
//! The tables ignore the move limits of FMJD 6.2 to 6.4, because the move counters are not part of
//! a position. A win in the tables may therefore be a draw under these rules.
//!
//! Each variant has its own tables. In Frisian draughts, the king runs belong to the position.
//!
//! The tables store values only for positions without captures. [`Bitbases::probe`] resolves
//! captures, which lead to fewer pieces.

pub(crate) mod build;
pub mod index;
pub(crate) mod material;
mod solve;
mod table;
pub(crate) mod verify;

pub(crate) use material::{MAX_PIECES, Material, max_pieces};
pub use table::TableError;

use crate::base::side::Side;
use crate::draughts::frisian::KingRun;
use crate::draughts::movegen::Raw;
use crate::draughts::{Bitboard, Board, Position, Variant};
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

    /// Returns the value for a player without moves.
    #[inline(always)]
    const fn without_moves(variant: Variant) -> Self {
        if variant.is_won_without_moves() { Self::Win } else { Self::Loss }
    }
}

/// A position without move counters.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    side: Side,
    /// The king runs in Frisian draughts; always zero in the other variants.
    runs: [KingRun; 2],
}

impl Node {
    #[inline(always)]
    const fn of(position: &Position) -> Self {
        Self { board: *position.board(), side: position.side(), runs: position.king_runs() }
    }

    #[inline(always)]
    fn after(&self, variant: Variant, m: Raw) -> Self {
        let board = self.board.after(self.side, m.from, m.to, m.taken);
        let mut runs = self.runs;
        if variant == Variant::Frisian {
            runs = KingRun::after(runs, self.side, m, &self.board, &board);
        }
        Self { board, side: !self.side, runs }
    }

    /// Returns the king of the side to move, if any, that must not make another non-capturing move.
    #[inline(always)]
    fn tired_king(&self) -> Bitboard {
        self.runs[self.side.index()].tired()
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

/// A set of tables of a variant, which can be cloned cheaply and read without a lock.
#[derive(Clone, Debug)]
pub struct Bitbases {
    variant: Variant,
    tables: Vec<Table>,
    /// For each [`Material::code`], the index in `tables`, or [`NO_TABLE`].
    places: Box<[u8; Material::CODES]>,
    largest: u32,
}

const NO_TABLE: u8 = u8::MAX;

impl Default for Bitbases {
    fn default() -> Self {
        Self::new(Variant::default())
    }
}

impl Bitbases {
    /// Returns an empty set for a variant.
    pub fn new(variant: Variant) -> Self {
        let places = Box::new([NO_TABLE; Material::CODES]);
        Self { variant, tables: Vec::new(), places, largest: 0 }
    }

    /// Returns the embedded tables of a variant. There are tables with up to four pieces for the
    /// normal game, and none for the other variants.
    pub fn shipped(variant: Variant) -> Self {
        let mut bitbases = Self::new(variant);
        if variant == Variant::Normal {
            // A test checks that the embedded tables are valid.
            let read = bitbases.add(Bytes::Shipped(include_bytes!("endings.bb")));
            debug_assert!(read.is_ok(), "{read:?}");
        }
        bitbases
    }

    /// Returns the variant of the tables.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns the folder with the tables of a variant: the folder itself for the normal game,
    /// otherwise a subfolder with the variant's name.
    pub fn subfolder(folder: &Path, variant: Variant) -> PathBuf {
        match variant {
            Variant::Normal => folder.to_owned(),
            _ => folder.join(variant.name()),
        }
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

    /// Returns the embedded tables of a variant, and any tables of this variant in the default
    /// folder. Probing is limited to positions with up to `pieces` pieces.
    pub fn with_default_folder(variant: Variant, pieces: u32) -> Result<Self, BitbaseError> {
        let mut bitbases = Self::shipped(variant);
        let folder = Self::default_folder().map(|folder| Self::subfolder(&folder, variant));
        if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
            bitbases.read(&folder, pieces)?;
        }
        Ok(bitbases.up_to(pieces))
    }

    /// Limits probing to positions with up to `pieces` pieces.
    pub fn up_to(self, pieces: u32) -> Self {
        Self { largest: self.largest.min(pieces), ..self }
    }

    /// Opens the tables of a variant in a folder (see [`Self::subfolder`]).
    ///
    /// # Errors
    /// Fails if the folder cannot be read or has no table, or if a file is damaged.
    pub fn open(folder: &Path, variant: Variant) -> Result<Self, BitbaseError> {
        let mut bitbases = Self::new(variant);
        let subfolder = Self::subfolder(folder, variant);
        // The folder may contain only tables of other variants.
        if subfolder.is_dir() || !folder.is_dir() {
            bitbases.read(&subfolder, max_pieces(variant))?;
        }
        if bitbases.tables.is_empty() {
            return Err(BitbaseError::Empty(subfolder));
        }
        Ok(bitbases)
    }

    /// Returns the tables of all variants in a folder, in the order of [`Variant::ALL`].
    pub fn open_all(folder: &Path) -> Result<[Self; Variant::ALL.len()], BitbaseError> {
        let mut all = Variant::ALL.map(Self::new);
        for bitbases in &mut all {
            let variant = bitbases.variant;
            let subfolder = Self::subfolder(folder, variant);
            if variant == Variant::Normal || subfolder.is_dir() {
                bitbases.read(&subfolder, max_pieces(variant))?;
            }
        }
        if all.iter().all(|bitbases| bitbases.tables.is_empty()) {
            return Err(BitbaseError::Empty(folder.to_owned()));
        }
        Ok(all)
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
            if table.variant() != self.variant {
                let (found, expected) = (table.variant(), self.variant);
                return Err((at, TableError::Variant { found, expected }));
            }
            at = table.end();
            match self.places[table.material().code()] {
                NO_TABLE => {
                    self.places[table.material().code()] = self.tables.len() as u8;
                    self.tables.push(table);
                }
                place => self.tables[usize::from(place)] = table,
            }
        }
        let whole = |pieces: &u32| {
            Material::all(self.variant, *pieces).iter().all(|&material| self.has(material))
        };
        self.largest = (2..=max_pieces(self.variant)).take_while(whole).last().unwrap_or(0);
        Ok(())
    }

    pub(crate) fn has(&self, material: Material) -> bool {
        self.places[material.code()] != NO_TABLE
    }

    pub(crate) fn bytes(&self, material: Material) -> Option<u64> {
        self.tables.get(usize::from(self.places[material.code()])).map(Table::len)
    }

    /// Returns the maximum number of pieces for probing. All tables with this number of pieces or
    /// fewer are available. Returns 0 if a table with two pieces is missing.
    pub const fn largest(&self) -> u32 {
        self.largest
    }

    /// Returns the value of a position for the side to move, with or without captures. Returns
    /// `None` if the position has more pieces than [`Self::largest`], if the opponent has no piece,
    /// or if the position is from another variant.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<Wdl> {
        let board = position.board();
        let fits = board.occupied().len() <= self.largest
            && board.pieces(!position.side()).any()
            && position.variant() == self.variant;
        if fits { self.value(&Node::of(position)) } else { None }
    }

    /// Returns the value of a position for the side to move, or `None` if a table is missing.
    fn value(&self, node: &Node) -> Option<Wdl> {
        let Node { board, side, .. } = node;
        if self.variant.is_over(board, *side) {
            return Some(Wdl::Loss);
        }
        let mut best = Some(Wdl::Loss);
        let captures = self.variant.each_capture(board, *side, |m| {
            self.improve(&mut best, &node.after(self.variant, m));
        });
        if captures {
            return best;
        }
        if board.pieces(*side).is_empty() {
            return Some(Wdl::without_moves(self.variant));
        }
        let place = self.places[Material::of(board, *side).code()];
        Some(self.tables.get(usize::from(place))?.value(node))
    }

    /// Raises `best` to the value of the position `after`, from the point of view of the player who
    /// has just moved. Sets `best` to `None` if a table is missing.
    #[inline(always)]
    fn improve(&self, best: &mut Option<Wdl>, after: &Node) {
        if let Some(so_far) = *best
            && so_far < Wdl::Win
        {
            *best = self.value(after).map(|value| so_far.max(value.opposite()));
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
    use std::collections::{HashMap, HashSet};
    use std::ops::RangeInclusive;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    fn build(folder: &Path, variant: Variant, pieces: u32) -> (Bitbases, Vec<Material>) {
        let built = Mutex::new(Vec::new());
        let report = |event| {
            if let Event::Table { material, .. } = event {
                built.lock().expect("no panic").push(material);
            }
        };
        let builder = Builder::new(folder, variant, pieces).expect("a folder");
        let bitbases = builder.run(&AtomicBool::new(false), &report).expect("built");
        (bitbases, built.into_inner().expect("no panic"))
    }

    fn all(variant: Variant, pieces: RangeInclusive<u32>) -> impl Iterator<Item = Material> {
        pieces.flat_map(move |pieces| Material::all(variant, pieces))
    }

    /// Returns the positions with White to move and without king runs.
    fn positions(variant: Variant, material: Material) -> Vec<Position> {
        let layout = index::Layout::of(variant, material);
        let sizes = index::Layout::sizes(material);
        let sets = [0, 1, 2, 3].map(|i| index::sets(index::Group::ALL[i], sizes[i]));
        let board = |index| {
            let digits = layout.split(index);
            let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| sets[i][digits[i] as usize]);
            Board::of_groups([a, b], [c, d])
        };
        let position = |board| Position::try_from((board, Side::White))?.in_game(variant);
        let boards = (0..layout.base).filter_map(board);
        boards.map(|board| position(board).expect("legal")).collect()
    }

    /// Rotates the board by 180 degrees and swaps the colours.
    fn turned(position: &Position) -> Position {
        let board = position.board();
        let of = |sets: fn(&Board, Side) -> Bitboard| {
            [Side::Black, Side::White].map(|side| sets(board, side).turned())
        };
        let turned = Board::of_groups(of(Board::men), of(Board::kings)).expect("no square shared");
        let turned = Position::try_from((turned, !position.side())).expect("legal");
        turned.in_game(position.variant()).expect("legal")
    }

    #[test]
    fn builder_reproduces_the_embedded_tables() {
        let folder = tempfile::tempdir().expect("a folder");
        let (built, tables) = build(folder.path(), Variant::Normal, 3);
        assert_eq!((built.largest(), tables.len()), (3, 16));
        let shipped = Bitbases::shipped(Variant::Normal);
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
        let (built, tables) = build(folder.path(), Variant::Normal, 3);
        let names: Vec<_> = tables.iter().map(Material::to_string).collect();
        assert_eq!(names, ["k-m", "m-k", "k-kk", "kk-k"]);
        assert_eq!(built.largest(), 3);
        let opened = Bitbases::open(folder.path(), Variant::Normal).expect("tables");
        assert_eq!(opened.largest(), 3);
    }

    #[test]
    fn tolerates_truncation_of_open_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let (built, _) = build(folder.path(), Variant::Normal, 3);
        let opened = Bitbases::open(folder.path(), Variant::Normal).expect("tables");
        for entry in fs::read_dir(folder.path()).expect("a folder") {
            let file = fs::File::options().write(true).open(entry.expect("a file").path());
            file.and_then(|file| file.set_len(1)).expect("cut");
        }
        assert!(Bitbases::open(folder.path(), Variant::Normal).is_err());
        for material in Material::all(Variant::Normal, 3) {
            for position in positions(Variant::Normal, material).iter().step_by(997) {
                assert_eq!(opened.probe(position), built.probe(position));
            }
        }
    }

    #[test]
    fn skips_tables_larger_than_requested() {
        let folder = tempfile::tempdir().expect("a folder");
        build(folder.path(), Variant::Normal, 3);
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
        let error =
            Bitbases::open(folder.path(), Variant::Normal).expect_err("no file").to_string();
        assert!(error.contains("k-k.bb") && error.contains("not a regular file"), "{error}");
    }

    #[test]
    fn stopped_builder_leaves_no_partial_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let builder = Builder::new(folder.path(), Variant::Normal, 2).expect("a folder");
        let stopped = builder.run(&AtomicBool::new(true), &|_| {});
        assert!(matches!(stopped, Err(BitbaseError::Stopped)), "{stopped:?}");
        assert!(matches!(
            Bitbases::open(folder.path(), Variant::Normal),
            Err(BitbaseError::Empty(_))
        ));
    }

    #[test]
    fn values_with_up_to_three_pieces_follow_from_the_next_ply() {
        let third: Shard = "1/3".parse().expect("a shard");
        let folder = tempfile::tempdir().expect("a folder");
        for variant in Variant::ALL {
            let (built, tables) = build(folder.path(), variant, 3);
            assert_eq!(built.largest(), 3);
            assert_eq!(tables.len(), all(variant, 2..=3).count());
            for material in all(variant, 2..=3) {
                let verify = |shard| {
                    let stop = AtomicBool::new(false);
                    verify::verify(&built, material, shard, &stop, &|_| {}).expect("all")
                };
                let findings = verify(Shard::WHOLE);
                let named = format!("{variant} {material}");
                assert_eq!((findings.wrong, findings.example), (0, None), "{named}");
                assert_eq!(findings.positions(), material.positions(variant), "{named}");
                let merged = third.all().map(verify).reduce(verify::Findings::and);
                assert_eq!(merged, Some(findings), "{named}");
            }
        }
    }

    #[test]
    fn values_with_four_pieces_follow_from_the_next_ply() {
        let shipped = Bitbases::shipped(Variant::Normal);
        let mut rng = Rng::new(4);
        let mut below = |n: u64| rng.next_u64() % n;
        let all = Material::all(Variant::Normal, 4);
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

    /// Adds the Frisian positions with king runs: all positions that can be reached from
    /// `positions` without a change of material.
    fn with_king_runs(mut positions: Vec<Position>) -> Vec<Position> {
        let mut keys: HashSet<_> = positions.iter().map(Position::key).collect();
        let mut next = 0;
        while let Some(&position) = positions.get(next) {
            next += 1;
            for m in position.legal_moves() {
                let after = position.play(m);
                let is_same = Material::of(after.board(), position.side())
                    == Material::of(position.board(), position.side());
                if is_same && keys.insert(after.key()) {
                    positions.push(after);
                }
            }
        }
        positions
    }

    /// Returns the value of a position if the side to move has no legal moves.
    fn end_value(position: &Position) -> Option<Wdl> {
        let wins = position.winner_without_moves() == position.side();
        (!position.has_moves()).then_some(if wins { Wdl::Win } else { Wdl::Loss })
    }

    /// Finds the won and lost positions by iteration, and returns the number of plies of the
    /// longest win. `values` contains the values of positions with fewer pieces or men.
    fn solve_naively(positions: &[Position], values: &mut HashMap<u64, Wdl>) -> usize {
        let value = |position: &Position, values: &HashMap<u64, Wdl>| {
            let (mut won, mut lost) = (false, true);
            for &m in &position.legal_moves() {
                let after = position.play_unchecked(m);
                let value = end_value(&after).or_else(|| values.get(&after.key()).copied());
                won |= value == Some(Wdl::Loss);
                lost &= value == Some(Wdl::Win);
            }
            match (won, lost) {
                (true, _) => Some(Wdl::Win),
                (_, true) => Some(Wdl::Loss),
                _ => None,
            }
        };
        let mut open: Vec<_> = positions.iter().collect();
        for plies in 0.. {
            let mut solved = Vec::new();
            open.retain(|position| {
                let value = end_value(position).or_else(|| value(position, values));
                solved.extend(value.map(|value| (position.key(), value)));
                value.is_none()
            });
            if solved.is_empty() {
                return plies;
            }
            values.extend(solved);
        }
        unreachable!("every pass solves a position")
    }

    // Naive iteration proves that each value is forced and not merely consistent with the values
    // after one ply.
    #[test]
    fn naive_solver_agrees() {
        let folder = tempfile::tempdir().expect("a folder");
        for variant in Variant::ALL {
            let (built, _) = build(folder.path(), variant, 3);
            let mut values = HashMap::new();
            for names in [
                &["k-k"][..],
                &["m-k", "k-m"],
                &["m-m"],
                &["kk-k", "k-kk"],
                &["kk-m", "m-kk"],
                &["mk-k", "k-mk"],
            ] {
                let named = |material: &Material| names.contains(&material.to_string().as_str());
                let all = all(variant, 2..=3).filter(named);
                let mut of: Vec<_> =
                    all.flat_map(|material| positions(variant, material)).collect();
                if names.contains(&"mk-k") {
                    // To save time, keep only positions with a man that is one row from promotion.
                    let near = |board: &Board| {
                        let [white, black] = Side::ALL.map(|side| board.men(side));
                        (white & Bitboard::row(1) | black & Bitboard::row(8)).any()
                    };
                    of.retain(|position| near(position.board()));
                }
                of.extend(of.clone().iter().map(turned));
                if variant == Variant::Frisian {
                    of = with_king_runs(of);
                }
                let plies = solve_naively(&of, &mut values);
                // The Frisian rules limit these endings to 4 and 14 plies, but the tables ignore
                // the limits.
                match (variant, names[0]) {
                    (Variant::Frisian, "k-k") => assert_eq!(plies, 3),
                    (Variant::Frisian, "kk-k") => assert_eq!(plies, 18),
                    _ => {}
                }
                for position in &of {
                    let value = values.get(&position.key()).copied().unwrap_or(Wdl::Draw);
                    assert_eq!(built.probe(position), Some(value), "{position}");
                }
            }
        }
    }

    #[test]
    fn probes_textbook_endings() {
        let shipped = Bitbases::shipped(Variant::Normal);
        let value = |fen: &str| shipped.probe(&fen.parse().expect(fen));
        // Unless it can be captured at once, a lone king draws against one or two kings.
        assert_eq!(value("W:WK46:BK1"), Some(Wdl::Draw));
        assert_eq!(value("W:WK1,K2:BK46"), Some(Wdl::Draw));
        // Three kings win, unless the lone king holds the long diagonal from 5 to 46.
        assert_eq!(value("W:WK6,K16,K48:BK25"), Some(Wdl::Win));
        assert_eq!(value("W:WK6,K16,K48:BK5"), Some(Wdl::Draw));
        assert_eq!(value("B:WK5:BK6,K35,K45"), Some(Wdl::Draw));
        // White captures Black's only piece.
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
    fn probes_textbook_endings_of_variants() {
        let folder = tempfile::tempdir().expect("a folder");
        let value = |fen: &str| {
            let position: Position = fen.parse().expect(fen);
            let variant = position.variant();
            Bitbases::open(folder.path(), variant).expect("built").probe(&position)
        };
        for variant in Variant::ALL {
            build(folder.path(), variant, 3);
        }
        // In killer draughts, two kings win against one.
        assert_eq!(value("W:WK1,K2:BK46"), Some(Wdl::Draw));
        assert_eq!(value("W:WK1,K2:BK46:Vkiller"), Some(Wdl::Win));
        // In breakthrough, the first king wins.
        assert_eq!(value("W:W7:B38:Vbt"), Some(Wdl::Win));
        assert_eq!(value("B:W7:B38:Vbt"), Some(Wdl::Loss));
        assert_eq!(value("B:WK1:B38:Vbt"), Some(Wdl::Loss));
        // In losing draughts, a player without pieces or moves has won.
        assert_eq!(value("W:W:B1:Vlosing"), Some(Wdl::Win));
        assert_eq!(value("W:W32:B28:Vlosing"), Some(Wdl::Loss));
        assert_eq!(value("B:W41,47:B36:Vlosing"), Some(Wdl::Win));
        // In Frisian draughts, pieces also capture along rows and columns.
        assert_eq!(value("W:W28:B18:Vfrisian"), Some(Wdl::Win));
        // The tables of one variant are not used in another.
        let normal = Bitbases::open(folder.path(), Variant::Normal).expect("built");
        assert_eq!(normal.probe(&"W:W32:B28:Vkiller".parse().expect("FEN")), None);
    }

    #[test]
    fn rejects_tables_of_another_variant() {
        let folder = tempfile::tempdir().expect("a folder");
        build(folder.path(), Variant::Killer, 2);
        build(folder.path(), Variant::Losing, 2);
        let name = "losing/k-k.bb";
        fs::copy(folder.path().join("killer/k-k.bb"), folder.path().join(name)).expect("copied");
        let error = Bitbases::open(folder.path(), Variant::Losing).expect_err("another variant");
        let expected =
            "losing/k-k.bb, table at byte 0: the table is for the variant killer, not for losing";
        assert!(error.to_string().ends_with(expected), "{error}");
        assert!(Bitbases::open_all(folder.path()).is_err());
        assert!(Bitbases::open(folder.path(), Variant::Killer).is_ok());
    }

    #[test]
    fn rejects_damaged_tables() {
        let shipped = Bitbases::shipped(Variant::Normal);
        let place = shipped.places[Material::all(Variant::Normal, 2)[0].code()];
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
        let error = Bitbases::open(folder.path(), Variant::Normal).expect_err("it is damaged");
        let expected = format!("{}, table at byte 0: the table is truncated", path.display());
        assert_eq!(error.to_string(), expected);
        let missing =
            Bitbases::open(&folder.path().join("none"), Variant::Normal).expect_err("not there");
        assert!(matches!(missing, BitbaseError::Io(..)), "{missing}");
    }
}
