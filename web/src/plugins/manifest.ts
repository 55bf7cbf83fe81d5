// SPDX-License-Identifier: Apache-2.0
// What a plugin says of itself, checked: nothing of it is believed before.
import { isRecord } from '@/lib/guards';

export interface Control {
  name: string;
  label: string;
  number?: { unset: number; max: number };
}

export interface Manifest {
  name: string;
  title: string;
  about: string;
  version: string;
  key: { columns: string[] } | null;
  value: { columns: string[] } | null;
  view: { controls: Control[] } | null;
}

export class PluginError extends Error {}

const kName = /^[a-z][a-z0-9_]{0,31}$/;

function textOf(value: unknown, what: string, most: number, otherwise?: string): string {
  if (value === undefined && otherwise !== undefined) return otherwise;
  if (typeof value !== 'string' || value.length > most || (otherwise === undefined && !value))
    throw new PluginError(`its ${what} is no text of 1 to ${most} characters`);
  return value;
}

function listOf(value: unknown, what: string, most: number): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > most)
    throw new PluginError(`its ${what} are no list of at most ${most}`);
  return value;
}

function partOf(value: unknown, what: string): Record<string, unknown> | null {
  if (value === undefined || value === null) return null;
  if (!isRecord(value) || value.isSound !== true)
    throw new PluginError(`its ${what} has no function ${what === 'view' ? 'draw' : 'decode'}`);
  return value;
}

function decoderOf(value: unknown, what: string): Manifest['key'] {
  const part = partOf(value, what);
  if (!part) return null;
  const columns = listOf(part.columns, `columns of the ${what}`, 16);
  return { columns: columns.map((name) => textOf(name, 'name of a column', 40)) };
}

function controlOf(value: unknown): Control {
  if (!isRecord(value)) throw new PluginError('one of its controls is no object');
  const name = textOf(value.name, 'name of a control', 32);
  if (!kName.test(name)) throw new PluginError(`a control is named ${name}`);
  const label = textOf(value.label, 'label of a control', 60);
  const { number } = value;
  if (number === undefined) return { name, label };
  if (!isRecord(number) || !isCount(number.unset) || !isCount(number.max))
    throw new PluginError(`the number of its control ${name} has no unset and max from 1`);
  return { name, label, number: { unset: number.unset, max: number.max } };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;

export function manifestOf(said: unknown): Manifest {
  if (!isRecord(said)) throw new PluginError('its default export is no object');
  const name = textOf(said.name, 'name', 32);
  if (!kName.test(name))
    throw new PluginError('its name is not a small letter and then small letters, digits or _');
  const view = partOf(said.view, 'view');
  const manifest: Manifest = {
    name,
    title: textOf(said.title, 'title', 60),
    about: textOf(said.about, 'about', 300, ''),
    version: textOf(said.version, 'version', 20, ''),
    key: decoderOf(said.key, 'key'),
    value: decoderOf(said.value, 'value'),
    view: view && { controls: listOf(view.controls, 'controls', 8).map(controlOf) },
  };
  if (!manifest.key && !manifest.value && !manifest.view)
    throw new PluginError('it has no key, no value and no view, so it shows nothing');
  return manifest;
}
