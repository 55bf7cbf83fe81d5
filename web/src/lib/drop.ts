// SPDX-License-Identifier: Apache-2.0
// The files of a drop, folders opened up. Their bytes are not read here.
import type { DroppedFile } from '@/engine/engine';

const kMostFiles = 200_000;

function isFolder(entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry {
  return entry?.isDirectory ?? false;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

// The entries must be taken before the first wait: the browser empties the drop after it.
export async function filesOf(transfer: DataTransfer): Promise<DroppedFile[]> {
  const items = [...transfer.items].filter((item) => item.kind === 'file');
  const entries = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: DroppedFile[] = [];
  for (const { entry, file } of entries) {
    if (isFolder(entry)) await walk(entry, found);
    else if (file) found.push({ path: file.name, file });
  }
  return found;
}

async function walk(folder: FileSystemDirectoryEntry, found: DroppedFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0 || found.length >= kMostFiles) return; // A folder is read in portions.
    for (const entry of entries) {
      if (isFolder(entry)) await walk(entry, found);
      else if (isFile(entry)) {
        const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
        found.push({ path: entry.fullPath.replace(/^\//, ''), file });
      }
    }
  }
}
