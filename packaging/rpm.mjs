// A package for Red Hat, SUSE and their kin, by rpmbuild: https://rpm-packaging-guide.github.io/
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DESCRIPTION, HOMEPAGE, SUMMARY } from './about.mjs';
import { CONFIG_FILES, stageSystem } from './stage-system.mjs';
import { write } from './stage-tree.mjs';

export const RPM_ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' };

export function packRpm(tree, target, { version, machine, isFast, madeAtS }) {
  stageSystem(tree);
  const work = mkdtempSync(join(tmpdir(), 'joblens-rpm-'));
  try {
    const spec = join(work, 'joblens.spec');
    write(spec, formatSpec({ version, tree, isFast }));
    const architecture = RPM_ARCHITECTURES[machine];
    const defines = { _topdir: work, _rpmdir: work, _build_id_links: 'none', _tmppath: work };
    const args = Object.entries(defines).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
    execFileSync('rpmbuild', ['-bb', '--quiet', '--target', `${architecture}-linux`, ...args, spec], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(madeAtS), HOME: work },
    });
    const [built] = readdirSync(work, { recursive: true }).filter((name) => String(name).endsWith('.rpm'));
    if (built === undefined) throw new Error('rpmbuild has written no package');
    execFileSync('cp', [join(work, String(built)), target]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The tree is built already: it is copied as it is, and nothing in it is stripped, searched or compressed. */
function formatSpec({ version, tree, isFast }) {
  return `%global __os_install_post %{nil}
%global debug_package %{nil}
%global clamp_mtime_to_source_date_epoch 1
%define _binary_payload ${isFast ? 'w1.gzdio' : 'w6.xzdio'}
Name: joblens
Version: ${version}
Release: 1
Summary: ${SUMMARY[0]?.toUpperCase() ?? ''}${SUMMARY.slice(1)}
License: Apache-2.0${HOMEPAGE === undefined ? '' : `\nURL: ${HOMEPAGE}`}
AutoReqProv: no
Requires: glibc >= 2.28, libstdc++, perl-interpreter

%description
${DESCRIPTION.join('\n')}

%install
cp -a ${tree}/. %{buildroot}

%files
%defattr(-,root,root,-)
/usr/bin/joblens
/usr/lib/joblens
/usr/lib/systemd/system/joblens.service
/usr/lib/systemd/system/joblens-serve.service
/usr/share/bash-completion/completions/joblens
/usr/share/zsh/site-functions/_joblens
/usr/share/fish/vendor_completions.d/joblens.fish
/usr/share/man/man1/joblens*.1*
/usr/share/joblens
/usr/share/doc/joblens
%dir %attr(0755,root,root) /etc/joblens
${Object.entries(CONFIG_FILES).map(formatConfigFile).join('\n')}

%post
[ ! -d /run/systemd/system ] || systemctl daemon-reload || :

%preun
[ "$1" -ne 0 ] || [ ! -d /run/systemd/system ] || systemctl disable --now joblens.service joblens-serve.service || :

%postun
[ ! -d /run/systemd/system ] || systemctl daemon-reload || :
`;
}

function formatConfigFile([file, mode]) {
  return `%config(noreplace) %attr(0${mode.toString(8)},root,root) ${file}`;
}
