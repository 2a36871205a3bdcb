//! The languages of the referee's messages and of the piece letters in events.

/// A language of the referee.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// French.
    French,
}

impl Language {
    /// Returns `english` or `french`, depending on the language.
    pub const fn of<'a>(self, english: &'a str, french: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::French => french,
        }
    }
}

/// A message in both languages. [`Display`](std::fmt::Display) writes the English text.
pub trait InFrench: std::fmt::Display {
    fn in_french(&self) -> String;

    fn in_language(&self, language: Language) -> String {
        match language {
            Language::English => self.to_string(),
            Language::French => self.in_french(),
        }
    }
}

/// A message in English and French.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bilingual {
    english: String,
    french: String,
}

impl Bilingual {
    /// Creates a message from a function that writes it in a language.
    pub fn written(write: impl Fn(Language) -> String) -> Self {
        Self { english: write(Language::English), french: write(Language::French) }
    }

    pub fn about(text: &str, error: &impl InFrench) -> Self {
        Self {
            english: format!("'{text}': {error}"),
            french: format!("« {text} » : {}", error.in_french()),
        }
    }

    pub fn of(error: &impl InFrench) -> Self {
        Self { english: error.to_string(), french: error.in_french() }
    }
}

impl InFrench for Bilingual {
    fn in_french(&self) -> String {
        self.french.clone()
    }
}

impl std::fmt::Display for Bilingual {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.english)
    }
}
