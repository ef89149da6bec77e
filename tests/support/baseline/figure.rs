//! The figures that may not slide.

/// A figure of `cargo xtask bench --quick`, in the order of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// From the start of the app until its window can be used.
    Launch,
    /// Memory of the app at rest.
    IdleMemory,
    /// From "Connect" until ten thousand tools, in pages of a hundred, are painted.
    List,
    /// The most memory that the app holds while it shows ten thousand tools.
    ToolsMemory,
    /// One call, the median.
    Echo,
    /// A thousand calls at once, until the last is answered.
    AtOnce,
    /// A hundred thousand notifications, until all are on record.
    Flood,
    /// Those of them that are not.
    FloodLost,
    /// From "Run" until a result of 10 MB is painted.
    Result,
    /// A command that does nothing, from the start of the command line to its end.
    CommandLineStart,
    /// A call, from the start of the command line to its end.
    CommandLineEcho,
    /// The app's program.
    AppSize,
    /// The command line's program.
    CommandLineSize,
}

/// Unit in which a figure is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Multiple of the floor.
    Ratio,
    /// Megabytes (10⁶ bytes) above the floor.
    Megabytes,
    /// Bytes of a file. Its floor is there to compare.
    Bytes,
    /// Number of things, which has no floor.
    Count,
}

/// A figure as measured: ours, and the floor in the same run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    pub ours: f64,
    pub floor: Option<f64>,
}

struct About {
    name: &'static str,
    unit: Unit,
    /// Unit in which ours and the floor are told.
    told_in: &'static str,
    floor: &'static str,
}

impl Figure {
    pub const ALL: [Self; 13] = [
        Self::Launch,
        Self::IdleMemory,
        Self::List,
        Self::ToolsMemory,
        Self::Echo,
        Self::AtOnce,
        Self::Flood,
        Self::FloodLost,
        Self::Result,
        Self::CommandLineStart,
        Self::CommandLineEcho,
        Self::AppSize,
        Self::CommandLineSize,
    ];

    /// Its name in the table and in the baseline.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    pub fn unit(self) -> Unit {
        self.about().unit
    }

    /// Unit of both numbers of its [`Reading`].
    pub fn told_in(self) -> &'static str {
        self.about().told_in
    }

    /// The program that its floor is taken of.
    pub fn floor(self) -> &'static str {
        self.about().floor
    }

    fn about(self) -> About {
        let (name, unit, told_in, floor) = match self {
            Self::Launch => ("launch", Unit::Ratio, "ms", "empty window"),
            Self::IdleMemory => ("idle_memory", Unit::Megabytes, "MB", "empty window"),
            Self::List => ("list_10000_tools", Unit::Ratio, "ms", "bare rmcp"),
            Self::ToolsMemory => (
                "peak_memory_10000_tools",
                Unit::Megabytes,
                "MB",
                "empty window",
            ),
            Self::Echo => ("echo", Unit::Ratio, "us", "bare rmcp"),
            Self::AtOnce => ("calls_1000_at_once", Unit::Ratio, "ms", "bare rmcp"),
            Self::Flood => ("flood_100000", Unit::Ratio, "ms", "bare rmcp"),
            Self::FloodLost => ("flood_100000_lost", Unit::Count, "", ""),
            Self::Result => ("result_10mb", Unit::Ratio, "ms", "bare rmcp"),
            Self::CommandLineStart => ("command_line_start", Unit::Ratio, "ms", "demo server"),
            Self::CommandLineEcho => ("command_line_echo", Unit::Ratio, "ms", "bare rmcp"),
            Self::AppSize => ("app_size", Unit::Bytes, "B", "empty window"),
            Self::CommandLineSize => ("command_line_size", Unit::Bytes, "B", "demo server"),
        };
        About {
            name,
            unit,
            told_in,
            floor,
        }
    }
}

impl Unit {
    /// Its name in the baseline.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Megabytes => "mb",
            Self::Bytes => "bytes",
            Self::Count => "count",
        }
    }

    /// A judged value, as the table tells it.
    pub fn tell(self, value: f64) -> String {
        match self {
            Self::Ratio => format!("{value:.2} ×"),
            Self::Megabytes => format!("+ {value:.1} MB"),
            Self::Bytes => format!("{value:.0} B"),
            Self::Count => format!("{value:.0}"),
        }
    }
}

impl Reading {
    /// The value that is judged; no number where its floor is missing.
    pub fn value(self, unit: Unit) -> f64 {
        let floor = self.floor.unwrap_or(f64::NAN);
        match unit {
            Unit::Ratio => self.ours / floor,
            Unit::Megabytes => self.ours - floor,
            Unit::Bytes | Unit::Count => self.ours,
        }
    }
}
