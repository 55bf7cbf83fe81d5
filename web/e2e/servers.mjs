// SPDX-License-Identifier: Apache-2.0
// What the app is served by: `varve serve`, and a static host under a path of its own.
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

export function serveVarve(varve, targets) {
  const asRoot = process.getuid?.() === 0 ? ['--as-root'] : [];
  return startServer(varve, ['serve', ...targets, ...asRoot]);
}

// Resolves with the address that it prints, with its token unless users have their own. The process ends
// with stop().
export function startServer(varve, words) {
  const child = spawn(varve, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (data) => {
      said += data;
      const url = /(http:\/\/\S+\/(?:#token=\S+)?)\s/.exec(said)?.[1];
      if (url) resolve({ url, stop: () => child.kill('SIGTERM') });
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('exit', (code) => reject(new Error(`varve ${words[0]} ended with ${code}: ${said}`)));
    setTimeout(
      () => reject(new Error(`varve ${words[0]} printed no address: ${said}`)),
      15000,
    ).unref();
  });
}

const kTypes = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

// The dumbest of hosts: files, types, nothing else; all of it below a path. `besides`: files from
// elsewhere, by name.
export function serveStatic(folder, besides = {}, below = '/some/path/') {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const name = path.slice(below.length);
    const file = join(folder, normalize(`/${name}`));
    const wanted = besides[name] ?? (path.endsWith('/') ? join(file, 'index.html') : file);
    if (!path.startsWith(below) || !existsSync(wanted) || !statSync(wanted).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': kTypes[extname(wanted)] ?? 'application/octet-stream',
    });
    createReadStream(wanted).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}${below}`,
        stop: () => server.close(),
      }),
    );
  });
}
