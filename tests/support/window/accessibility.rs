//! The window as the system gives it to screen readers: the objects of the accessibility bus
//! (AT-SPI 2), which WebKitGTK makes of the page.

use std::collections::HashMap;

use serde::Serialize;
use zbus::{
    Connection,
    connection::Builder,
    zvariant::{DynamicDeserialize, DynamicType, OwnedObjectPath, OwnedValue},
};

use super::{AppWindow, Directories, Locator, WindowError, session_bus::SessionBus};

/// Bus name and path of the object under which the applications are.
const REGISTRY: &str = "org.a11y.atspi.Registry";
const ROOT: &str = "/org/a11y/atspi/accessible/root";

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
const TEXT: &str = "org.a11y.atspi.Text";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";

/// Stands in a text for an object in it.
const OBJECT: char = '\u{fffc}';

/// Role in AT-SPI, by its number there (`AtspiRole`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role(u32);

impl Role {
    pub const LIST_ITEM: Self = Self(32);
    pub const PAGE_TAB: Self = Self(37);
    pub const PAGE_TAB_LIST: Self = Self(38);
    pub const BUTTON: Self = Self(43);
    pub const STATUS_BAR: Self = Self(54);
    pub const ENTRY: Self = Self(79);
    pub const HEADING: Self = Self(83);
    pub const LIST_BOX: Self = Self(98);
    pub const NOTIFICATION: Self = Self(101);
    pub const LANDMARK: Self = Self(110);
}

/// State in AT-SPI, by its number there (`AtspiStateType`).
#[derive(Debug, Clone, Copy)]
pub struct State(u8);

impl State {
    pub const EDITABLE: Self = Self(7);
    pub const ENABLED: Self = Self(8);
    pub const FOCUSABLE: Self = Self(11);
    pub const SELECTED: Self = Self(23);
    pub const SHOWING: Self = Self(25);
}

/// Bus name and path of an object.
type Address = (String, OwnedObjectPath);

/// An object of the accessibility bus, as it was when it was read.
#[derive(Debug, Clone)]
pub struct AccessibleObject {
    /// Stays the same while the part of the page stays.
    pub address: Address,
    pub role: Role,
    pub name: String,
    /// Its text and that of the objects in it.
    pub text: String,
    states: u64,
    attributes: HashMap<String, String>,
}

impl AccessibleObject {
    /// Returns true in this state.
    pub fn is(&self, state: State) -> bool {
        self.states & (1 << state.0) != 0
    }

    /// Returns how a change in it is told, if it is: `polite` or `assertive`.
    pub fn live(&self) -> Option<&str> {
        self.attributes.get("container-live").map(String::as_str)
    }
}

/// The accessibility bus of one story. It ends with this value.
pub struct Accessibility {
    connection: Connection,
    _bus: SessionBus,
}

impl Accessibility {
    /// Starts a bus that the application of the story tells what it shows.
    ///
    /// # Errors
    /// When there is none, as without at-spi2-core.
    pub async fn serve(directories: &Directories) -> Result<Self, WindowError> {
        let bus = SessionBus::start(directories);
        directories.use_accessibility();
        let connection = connect(bus.address()).await.map_err(unusable)?;
        Ok(Self {
            connection,
            _bus: bus,
        })
    }

    /// Returns the object of a part of the window, as soon as it is there.
    pub async fn find(
        &self,
        window: &AppWindow,
        wanted: &Locator,
    ) -> Result<AccessibleObject, WindowError> {
        self.find_with(window, wanted, "").await
    }

    /// Returns the object of a part of the window, as soon as it has this text.
    pub async fn find_with(
        &self,
        window: &AppWindow,
        wanted: &Locator,
        text: &str,
    ) -> Result<AccessibleObject, WindowError> {
        let what = format!("{wanted} with {text:?} on the accessibility bus");
        let found = window
            .eventually(&what, async || {
                let objects = self.read().await;
                let places = (0..objects.len()).filter(|&at| is_wanted(&objects, at, wanted));
                for place in places {
                    let object = self.describe(&objects, place).await;
                    if let Some(object) = object.filter(|object| object.text.contains(text)) {
                        return Ok(Some(object));
                    }
                }
                Ok(None)
            })
            .await;
        if found.is_err() {
            eprintln!("{}", self.outline().await);
        }
        found
    }

    /// Returns every object that there is, for the message of a failure.
    async fn outline(&self) -> String {
        let objects = self.read().await;
        let lines = objects.iter().map(|object| {
            let indentation = "  ".repeat(object.depth);
            format!("{indentation}{} {:?}", object.aria_role(), object.name)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Reads all objects, in the order of the page.
    async fn read(&self) -> Vec<Node> {
        let root = OwnedObjectPath::try_from(ROOT).expect("a path");
        let mut waiting = vec![((REGISTRY.to_owned(), root), 0)];
        let mut objects = Vec::new();
        while let Some((address, depth)) = waiting.pop() {
            // One that went away meanwhile is no part of the window.
            let Ok((node, children)) = self.node(address, depth).await else {
                continue;
            };
            objects.push(node);
            waiting.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
        }
        objects
    }

    async fn node(&self, address: Address, depth: usize) -> zbus::Result<(Node, Vec<Address>)> {
        let (name, attributes, mut children) = futures::try_join!(
            self.call::<_, OwnedValue>(&address, PROPERTIES, "Get", &(ACCESSIBLE, "Name")),
            self.call(&address, ACCESSIBLE, "GetAttributes", &()),
            self.call::<_, Vec<Address>>(&address, ACCESSIBLE, "GetChildren", &()),
        )?;
        let node = Node {
            address,
            depth,
            name: one_line(&String::try_from(name)?),
            attributes,
        };
        // The page, which another process draws, is not among the children of its place in the
        // window, and is its first child all the same.
        if children.is_empty() && node.attributes.is_empty() {
            let first =
                self.call::<_, Address>(&node.address, ACCESSIBLE, "GetChildAtIndex", &0_i32);
            children.extend(first.await);
        }
        Ok((node, children))
    }

    /// Reads the rest about one of the objects; `None` when it went away meanwhile.
    async fn describe(&self, objects: &[Node], place: usize) -> Option<AccessibleObject> {
        let node = &objects[place];
        let address = &node.address;
        let (role, states) = futures::try_join!(
            self.call::<_, u32>(address, ACCESSIBLE, "GetRole", &()),
            self.call::<_, Vec<u32>>(address, ACCESSIBLE, "GetState", &()),
        )
        .ok()?;
        let inner = objects[place + 1..]
            .iter()
            .take_while(|object| object.depth > node.depth);
        let mut texts = Vec::new();
        for object in std::iter::once(node).chain(inner) {
            let text = self.call::<_, String>(&object.address, TEXT, "GetText", &(0_i32, -1_i32));
            // Not every object has a text.
            texts.push(text.await.unwrap_or_default().replace(OBJECT, " "));
        }
        let [low, high] = [0, 1].map(|at| u64::from(states.get(at).copied().unwrap_or_default()));
        Some(AccessibleObject {
            address: address.clone(),
            role: Role(role),
            name: node.name.clone(),
            text: one_line(&texts.join(" ")),
            states: (high << 32) | low,
            attributes: node.attributes.clone(),
        })
    }

    /// Calls a method of an object.
    async fn call<Arguments, Answer>(
        &self,
        (name, path): &Address,
        interface: &str,
        method: &str,
        arguments: &Arguments,
    ) -> zbus::Result<Answer>
    where
        Arguments: Serialize + DynamicType,
        Answer: for<'d> DynamicDeserialize<'d>,
    {
        let answer = self
            .connection
            .call_method(
                Some(name.as_str()),
                path,
                Some(interface),
                method,
                arguments,
            )
            .await?;
        answer.body().deserialize()
    }
}

/// Connects to the accessibility bus that belongs to a session bus, which starts it.
async fn connect(session: &str) -> zbus::Result<Connection> {
    let session = Builder::address(session)?.build().await?;
    let name = Some("org.a11y.Bus");
    let answer = session
        .call_method(name, "/org/a11y/bus", name, "GetAddress", &())
        .await?;
    let address: String = answer.body().deserialize()?;
    Builder::address(address.as_str())?.build().await
}

fn unusable(error: zbus::Error) -> WindowError {
    WindowError::Accessibility(error.to_string())
}

/// An object among all of them.
struct Node {
    address: Address,
    depth: usize,
    name: String,
    attributes: HashMap<String, String>,
}

impl Node {
    /// Role of WAI-ARIA; none outside the page.
    fn aria_role(&self) -> &str {
        let role = self.attributes.get("computed-role");
        role.map(String::as_str).unwrap_or_default()
    }
}

/// Returns true when a locator means this one of the objects.
fn is_wanted(objects: &[Node], place: usize, wanted: &Locator) -> bool {
    let object = &objects[place];
    if !wanted.fits(object.aria_role(), &object.name) {
        return false;
    }
    let Some(outer) = wanted.outer() else {
        return true;
    };
    let mut depth = object.depth;
    (0..place).rev().any(|before| {
        let is_around = objects[before].depth < depth;
        depth = depth.min(objects[before].depth);
        is_around && is_wanted(objects, before, outer)
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
