// SPDX-License-Identifier: Apache-2.0
// A file from an address, as if it had been dropped. The page's policy lets it ask the place that it
// came from and nobody else; that is said before the browser refuses.
import type { DroppedFile } from '@/engine/engine';
import { ApiProblem } from '@/engine/problem';

export async function fetchFile(address: string): Promise<DroppedFile> {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) {
    throw new ApiProblem({
      code: 'another_origin',
      title: 'This page may only ask the place that it came from',
      status: 400,
      detail: `${url.host} is another place than ${location.host}.`,
      hint: 'Download the file and drop it here.',
    });
  }
  const response = await fetch(url);
  if (!response.ok)
    throw new ApiProblem({
      code: 'not_there',
      title: 'The address has no file',
      status: response.status,
      detail: `${url.href}: status ${response.status}`,
    });
  const name = decodeURIComponent(url.pathname.split('/').at(-1) ?? '') || 'file';
  return { path: name, file: new File([await response.blob()], name) };
}

// The files that a link names, "#/?open=samples/orders/CURRENT,000008.sst,…": one, or those of a folder,
// each in the folder of the first.
export async function fetchLinked(open: string): Promise<DroppedFile[]> {
  const [first = '', ...others] = open.split(',');
  const folder = first.slice(0, first.lastIndexOf('/') + 1);
  const files = await Promise.all([first, ...others.map((name) => folder + name)].map(fetchFile));
  const within = others.length > 0 ? folder.split('/').at(-2) : undefined;
  return within ? files.map(({ path, file }) => ({ path: `${within}/${path}`, file })) : files;
}
