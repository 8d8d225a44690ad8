// A package for Debian and Ubuntu, by dpkg-deb: https://www.debian.org/doc/debian-policy/
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DESCRIPTION, HOMEPAGE, MAINTAINER, SUMMARY } from './about.mjs';
import { copy, write } from './stage-tree.mjs';
import { CONFIG_FILES, stageSystem } from './stage-system.mjs';

const FILES = fileURLToPath(new URL('files/', import.meta.url));
export const DEB_ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

export function packDeb(tree, target, { version, machine, isFast, madeAtS }) {
  stageSystem(tree);
  const usr = join(tree, 'usr');
  // Debian looks for zsh's completions of packages elsewhere.
  mkdirSync(join(usr, 'share', 'zsh', 'vendor-completions'), { recursive: true });
  renameSync(join(usr, 'share/zsh/site-functions/_joblens'), join(usr, 'share/zsh/vendor-completions/_joblens'));
  rmSync(join(usr, 'share', 'zsh', 'site-functions'), { recursive: true });
  const doc = join(usr, 'share', 'doc', 'joblens');
  rmSync(join(doc, 'LICENSE'));
  copy(join(FILES, 'copyright'), join(doc, 'copyright'));
  copy(join(FILES, 'lintian-overrides'), join(usr, 'share', 'lintian', 'overrides', 'joblens'));
  const changelog = `joblens (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md of the project.\n\n -- ${MAINTAINER}  ${formatDate(madeAtS)}\n`;
  writeFileSync(join(doc, 'changelog.gz'), gzipSync(changelog, { level: 9 }));
  const manuals = join(usr, 'share', 'man', 'man1');
  for (const name of readdirSync(manuals)) {
    writeFileSync(join(manuals, `${name}.gz`), gzipSync(readFileSync(join(manuals, name)), { level: 9 }));
    rmSync(join(manuals, name));
  }
  writeControl(join(tree, 'DEBIAN'), tree, { version, architecture: DEB_ARCHITECTURES[machine] });
  // xz takes some times as long as gzip also where it is fast.
  const compression = isFast ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6'];
  const args = ['--root-owner-group', ...compression, '--build', tree, target];
  execFileSync('dpkg-deb', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(madeAtS) },
  });
}

function writeControl(folder, tree, { version, architecture }) {
  const files = listFiles(tree).filter((file) => lstatSync(file).isFile());
  const kib = files.reduce((sum, file) => sum + Math.ceil(lstatSync(file).size / 1024), 0);
  const sums = files.map(
    (file) => `${createHash('md5').update(readFileSync(file)).digest('hex')}  ${relative(tree, file)}`
  );
  const control = [
    'Package: joblens',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${String(kib)}`,
    'Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1 | libgcc1',
    'Section: admin',
    'Priority: optional',
    ...(HOMEPAGE === undefined ? [] : [`Homepage: ${HOMEPAGE}`]),
    `Description: ${SUMMARY}`,
    ...DESCRIPTION.map((line) => ` ${line === '' ? '.' : line}`),
  ];
  write(join(folder, 'control'), `${control.join('\n')}\n`);
  write(join(folder, 'md5sums'), `${sums.join('\n')}\n`);
  write(join(folder, 'conffiles'), `${Object.keys(CONFIG_FILES).join('\n')}\n`);
  for (const [name, text] of Object.entries(SCRIPTS)) write(join(folder, name), `#!/bin/sh\nset -e\n${text}`, 0o755);
}

const RELOAD = 'if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi\n';
/** A unit that runs goes on with what it has opened, until it is started again; a removed package ends it. */
const SCRIPTS = {
  postinst: RELOAD,
  prerm: `if [ "$1" = remove ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemctl disable --now joblens.service joblens-serve.service >/dev/null 2>&1 || true
fi
`,
  postrm: `if [ "$1" = purge ]; then rm -rf "$DPKG_ROOT/var/lib/joblens" "$DPKG_ROOT/etc/joblens"; fi\n${RELOAD}`,
};

/** As RFC 5322 wants it. */
function formatDate(seconds) {
  return new Date(1000 * seconds).toUTCString().replace('GMT', '+0000');
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
}
