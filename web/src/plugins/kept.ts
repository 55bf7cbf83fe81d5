// SPDX-License-Identifier: Apache-2.0
// Plugins that this browser keeps, by their names: their texts, in IndexedDB.
import { isRecord } from '@/lib/guards';

export interface KeptPlugin {
  name: string;
  text: string;
}

const kDatabase = 'varve.plugins';
const kStore = 'plugins';

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(kDatabase, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(kStore, { keyPath: 'name' });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('this browser keeps nothing'));
  });
}

async function within<T>(
  mode: IDBTransactionMode,
  body: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const db = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const asked = body(db.transaction(kStore, mode).objectStore(kStore));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error ?? new Error('this browser keeps nothing'));
    });
  } finally {
    db.close();
  }
}

const isKept = (value: unknown): value is KeptPlugin =>
  isRecord(value) && typeof value.name === 'string' && typeof value.text === 'string';

export async function keptPlugins(): Promise<KeptPlugin[]> {
  const all: unknown[] = await within('readonly', (store) => store.getAll());
  return all.filter(isKept);
}

// One of the same name is replaced.
export async function keepPlugin(plugin: KeptPlugin): Promise<void> {
  await within('readwrite', (store) => store.put(plugin));
}

export async function forgetPlugin(name: string): Promise<void> {
  await within('readwrite', (store) => store.delete(name));
}
