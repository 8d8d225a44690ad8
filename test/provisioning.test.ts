import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Compose {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
}
interface ComposeService {
  image?: string;
  build?: { target: string };
  user?: string;
  restart?: string;
  hostname?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: unknown[] };
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const dockerfile = read('Dockerfile');

/** The variables that Grafana's provisioning would fill in: `$NAME`, as its interpolation reads them. */
function variablesOf(text: string): string[] {
  const withoutComments = text.replace(/^\s*#.*$/gm, '');
  return [...new Set([...withoutComments.matchAll(/\$\{?([A-Z_]+)\}?/g)].map(([, name]) => String(name)))];
}

describe('provisioning', () => {
  const files = ['datasources', 'dashboards', 'plugins', 'alerting'].map(
    (folder) => `provisioning/${folder}/joblens.yaml`
  );

  it.each(files)('%s is YAML of API version 1', (file) => {
    expect(parse(read(file))).toMatchObject({ apiVersion: 1 });
  });

  it.each(files.flatMap((file) => variablesOf(read(file)).map((name) => [file, name] as const)))(
    '%s: %s is set in the Grafana container',
    (_file, name) => {
      const environment = compose.services['grafana']?.environment ?? {};
      const isSet = name in environment || `${name}_FILE` in environment || dockerfile.includes(`${name}=`);
      expect(isSet).toBe(true);
    }
  );

  it('asks for no more than a token that reads', () => {
    const sources = parse(read('provisioning/datasources/joblens.yaml')) as { datasources: Record<string, unknown>[] };
    expect(sources.datasources.map(({ uid, type }) => [uid, type])).toEqual([
      ['joblens', 'joblens-datasource'],
      ['joblens-influxdb', 'influxdb'],
    ]);
    expect(read('provisioning/influxdb/create-tokens.sh')).toContain('create_token read --read-bucket');
  });
});

/** An image by its version for people, and by its digest for the engine. */
const PINNED = /^[\w./-]+:\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/;
/** Node by its line, which brings every patch: an old patch has holes that are known. */
const NODE_LINE = /^node:(22|24)-bookworm(-slim)?$/;

describe('docker-compose.yml', () => {
  const services = Object.entries(compose.services);

  it.each(services.filter(([, { image }]) => image !== undefined))(
    '%s has an image of one version and content',
    (_name, { image }) => {
      expect(image).toMatch(PINNED);
    }
  );

  it.each([...dockerfile.matchAll(/^FROM \$\{(\w+)\} AS (\w+)$/gm)].map(([, name, stage]) => [stage, name]))(
    'the stage %s begins with one version and content, or the newest Node of a supported line: %s',
    (_stage, name) => {
      const image = new RegExp(`^ARG ${name}=(.*)$`, 'm').exec(dockerfile)?.[1];
      expect(image).toMatch(name?.startsWith('NODE_') === true ? NODE_LINE : PINNED);
    }
  );

  it('builds from nothing else', () => {
    expect(dockerfile.match(/^FROM /gm)).toHaveLength(dockerfile.match(/^FROM \$\{\w+\} AS \w+$/gm)?.length ?? 0);
    expect(dockerfile).not.toMatch(/^# syntax=/m);
  });

  it.each(services)('%s may write to its volumes and to memory only, without any privilege', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^(\$\{\w+:-)?\d+[mg]\}?$/) as string,
    });
  });

  it('has one service alone that runs as root, once: what makes the tokens', () => {
    const stageUser = (target: string): string | undefined =>
      new RegExp(`^FROM .* AS ${target}$(?:\\n(?!FROM ).*)*\\nUSER (\\w+)$`, 'm').exec(dockerfile)?.[1];
    // Grafana's image has a user of its own.
    const users = services.map(([name, { user, build }]) => [name, user ?? stageUser(build?.target ?? '') ?? 'own']);
    expect(Object.fromEntries(users)).toEqual({
      ...{ influxdb: '1000:1000', tokens: 'root', grafana: 'own', ingester: 'node', demo: 'node' },
    });
    expect(compose.services['tokens']?.restart).toBeUndefined();
  });

  it.each(services.filter(([, { restart }]) => restart !== undefined))(
    '%s says whether it is well',
    (_name, service) => {
      const test = service.healthcheck?.test ?? [];
      expect(test.length).toBeGreaterThan(1);
      expect(test.filter((word) => typeof word !== 'string')).toEqual([]);
    }
  );

  it('keeps what is not sent yet over a new container of the ingester', () => {
    const [, state = ''] = /^ {4}XDG_STATE_HOME=(\S+)$/m.exec(dockerfile) ?? [];
    const { volumes = [], hostname } = compose.services['ingester'] ?? {};
    expect(volumes).toContain(`ingester-state:${state}/joblens`);
    expect(dockerfile).toContain(`install -d -o node -g node -m 700 ${state}/joblens`);
    expect(hostname).toBe('ingester');
  });

  it.each(services.flatMap(([name, { build }]) => (build ? [[name, build.target] as const] : [])))(
    '%s builds the target %s of the Dockerfile',
    (_name, target) => {
      expect(dockerfile).toMatch(new RegExp(`^FROM .* AS ${target}$`, 'm'));
    }
  );

  it.each(services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port] as const)))(
    '%s listens on this machine only: %s',
    (_name, port) => {
      expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  );

  it.each(services.flatMap(([name, { volumes = [] }]) => volumes.map((volume) => [name, volume] as const)))(
    '%s mounts what there is: %s',
    (_name, volume) => {
      const [source = ''] = volume.replace(/^\$\{[A-Z_]+:-(\w+)\}/, '$1').split(':');
      if (source.startsWith('./')) expect(read(source).length).toBeGreaterThan(0);
      else expect(Object.keys(compose.volumes)).toContain(source);
    }
  );

  it.each(
    services.flatMap(([name, { depends_on = {} }]) =>
      Object.entries(depends_on).map(([other, { condition }]) => [name, other, condition] as const)
    )
  )('%s waits for %s (%s), which can become so', (_name, other, condition) => {
    const service = compose.services[other];
    expect(service).toBeDefined();
    if (condition === 'service_healthy') expect(service?.healthcheck).toBeDefined();
  });

  it('has no secret with a default', () => {
    const secrets = services.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|TOKEN$/.test(name))
    );
    expect(secrets.length).toBeGreaterThan(2);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:\?.+\}$/);
  });
});

describe('dashboards', () => {
  interface Panel {
    id: number;
    type: string;
    gridPos: { h: number; w: number; x: number; y: number };
    datasource: { type: string; uid: string };
    targets: { queryType: string; refId: string }[];
  }
  interface Dashboard {
    uid: string;
    title: string;
    schemaVersion: number;
    panels: Panel[];
    annotations: { list: { builtIn?: number; enable: boolean; datasource: object; target: { queryType: string } }[] };
    templating: { list: { name: string; query: { query: string } }[] };
  }
  const dashboards = readdirSync(join(root, 'dashboards')).map(
    (file) => [file, parse(read(`dashboards/${file}`)) as Dashboard] as const
  );

  it('have the identities that links and the home page use', () => {
    expect(dashboards.map(([, { uid, title }]) => [uid, title])).toEqual([
      ['joblens-cluster', 'Cluster'],
      ['joblens-compare', 'Compare'],
      ['joblens-events', 'Events'],
      ['joblens-job', 'Job details'],
      ['joblens-jobs', 'Jobs'],
      ['joblens-spans', 'Spans'],
    ]);
  });

  it.each(dashboards)('%s can be read by Grafana 9.5 (schema 38)', (_file, { schemaVersion }) => {
    expect(schemaVersion).toBe(38);
  });

  it.each(dashboards)('%s asks the provisioned data source only', (_file, { panels }) => {
    for (const panel of panels) {
      expect(panel.datasource).toEqual({ type: 'joblens-datasource', uid: 'joblens' });
      for (const { queryType } of panel.targets)
        expect(['logs', 'metadata', 'jobs', 'events', 'spans', 'analytics', 'compare', 'groups', 'diff']).toContain(
          queryType
        );
    }
  });

  it.each(dashboards)(
    '%s: annotations ask the provisioned data source for events, when a viewer wants them',
    (_f, { annotations }) => {
      for (const { datasource, target, enable } of annotations.list.filter(({ builtIn }) => builtIn !== 1)) {
        expect(datasource).toEqual({ type: 'joblens-datasource', uid: 'joblens' });
        expect(target.queryType).toBe('events');
        expect(enable).toBe(false);
      }
    }
  );

  it('offer the signals of a job as annotations of its page', () => {
    const [, page] = dashboards.find(([file]) => file === 'job.json') ?? [];
    expect(page?.annotations.list).toContainEqual(
      expect.objectContaining({ name: 'Signals', target: expect.objectContaining({ event: 'signals' }) as unknown })
    );
  });

  it.each(dashboards)('%s: every variable that is used is declared', (_file, dashboard) => {
    const declared = dashboard.templating.list.map(({ name }) => name);
    const used = [...JSON.stringify([dashboard.panels, dashboard.annotations]).matchAll(/\$(\w+)/g)].map(
      ([, name]) => name
    );
    expect(used.length).toBeGreaterThan(0);
    for (const name of used) expect(declared).toContain(name);
  });

  it.each([
    ['job.json', 'job'],
    ['jobs.json', 'jobs'],
  ])('%s begins with the view %s, which shows the state of a job', (file, view) => {
    const [first] = dashboards.find(([name]) => name === file)?.[1].panels ?? [];
    expect(first).toMatchObject({
      type: 'joblens-panel',
      gridPos: { x: 0, y: 0, w: 24 },
      targets: [{ queryType: 'jobs' }],
      options: { views: [view] },
    });
  });

  it.each(dashboards)('%s: no panel overlaps another or leaves the grid', (_file, { panels }) => {
    const taken = new Set<string>();
    for (const { gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          const cell = `${String(x)},${String(y)}`;
          expect(taken).not.toContain(cell);
          taken.add(cell);
        }
      }
    }
  });
});
