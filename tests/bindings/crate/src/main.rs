// SPDX-License-Identifier: Apache-2.0
//! count DIRECTORY: writes ten records into a database, compacts it, and counts them.
use rocksdb::{IteratorMode, Options, DB};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: count DIRECTORY")?;
    let mut options = Options::default();
    options.create_if_missing(true);
    options.set_compression_type(rocksdb::DBCompressionType::Zstd);
    let db = DB::open(&options, directory)?;
    for number in 0..10 {
        db.put(format!("key{number}"), format!("value{number}"))?;
    }
    db.flush()?;
    db.compact_range(None::<&[u8]>, None::<&[u8]>);
    let mut records = 0;
    for record in db.iterator(IteratorMode::Start) {
        record?;
        records += 1;
    }
    println!("{records} records");
    Ok(())
}
