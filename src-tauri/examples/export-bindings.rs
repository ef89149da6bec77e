//! Writes the TypeScript bindings to the path given: `cargo xtask bindings`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("give the path of the file to write")?;
    sightglass_app::ipc::export_bindings(std::path::Path::new(&path))
}
