// SPDX-License-Identifier: Apache-2.0
// What this browser keeps of visits: targets that were open, and views that were given a name. Both
// know a target by its name, since its number is another one in the next process or tab.
import { isRecord } from './guards';
import { formatRoute, parseRoute, type Route } from './route';

// How a target is opened again by the app itself.
export type Recipe = { sample: string } | { open: string };

export interface RecentTarget {
  name: string;
  kind: string;
  engine: 'h' | 'w';
  recipe?: Recipe;
}

export interface NamedView {
  title: string;
  target: string; // Its name.
  engine: 'h' | 'w';
  view: string; // "lsm?axis=bytes", with "cf/users/" before it unless that is the default family.
  recipe?: Recipe;
}

const kRecent = 'varve.recent';
const kViews = 'varve.views';
const kMostRecent = 8;

function isRecipe(value: unknown): value is Recipe {
  return isRecord(value) && (typeof value.sample === 'string' || typeof value.open === 'string');
}

const isOfEngine = (value: Record<string, unknown>) =>
  (value.engine === 'h' || value.engine === 'w') &&
  (value.recipe === undefined || isRecipe(value.recipe));

export function isRecentTarget(value: unknown): value is RecentTarget {
  return (
    isRecord(value) &&
    typeof value.name === 'string' &&
    typeof value.kind === 'string' &&
    isOfEngine(value)
  );
}

export function isNamedView(value: unknown): value is NamedView {
  return (
    isRecord(value) &&
    typeof value.title === 'string' &&
    typeof value.target === 'string' &&
    typeof value.view === 'string' &&
    isOfEngine(value)
  );
}

// A browser may refuse to keep anything, and may have kept what another version wrote.
function kept<T>(name: string, is: (value: unknown) => value is T): T[] {
  try {
    const said: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(said) ? said.filter(is) : [];
  } catch {
    return [];
  }
}

function keep(name: string, list: unknown[]): void {
  try {
    localStorage.setItem(name, JSON.stringify(list));
  } catch {
    // Then it is not kept.
  }
}

export const recentTargets = () => kept(kRecent, isRecentTarget);
export const namedViews = () => kept(kViews, isNamedView);

export function rememberTarget(target: RecentTarget): void {
  const others = recentTargets().filter(
    (one) => one.name !== target.name || one.engine !== target.engine,
  );
  keep(kRecent, [target, ...others].slice(0, kMostRecent));
}

export function forgetTargets(): void {
  keep(kRecent, []);
}

// One of the same title is replaced.
export function keepView(view: NamedView): void {
  keep(kViews, [...namedViews().filter((one) => one.title !== view.title), view]);
}

export function forgetView(title: string): void {
  keep(
    kViews,
    namedViews().filter((one) => one.title !== title),
  );
}

// What a route shows, whatever the number of its target is.
export function viewOf(route: Route): string {
  const family = route.cf === 'default' ? '' : `cf/${encodeURIComponent(route.cf)}/`;
  const page = formatRoute({ ...route, engine: null, target: '' }).replace(/^#\//, '');
  return family + page;
}

export function linkOfView(view: string, engine: 'h' | 'w', target: string): string {
  return formatRoute(parseRoute(`#/${engine}/t/${encodeURIComponent(target)}/${view}`));
}

// Opens the target, and the view of it.
export function linkOfRecipe(recipe: Recipe, view = ''): string {
  const query = new URLSearchParams({ ...recipe, ...(view && { view }) });
  return `#/?${query.toString()}`;
}

// Which targets of this tab can be opened again, by their number.
const recipes = new Map<string, Recipe>();

export function setRecipe(target: string, recipe: Recipe): void {
  recipes.set(target, recipe);
}

export const recipeOf = (engine: 'h' | 'w', target: string) =>
  engine === 'w' ? recipes.get(target) : undefined;
