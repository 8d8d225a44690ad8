import { findParameter, setParameter, unsetParameter } from './slurm-conf.js';

const addLua = (value: string | undefined): string | undefined =>
  value === undefined ? 'lua' : value.split(',').includes('lua') ? undefined : `${value},lua`;
const set = (text: string): string => setParameter(text, 'JobSubmitPlugins', addLua);

describe('a parameter of slurm.conf', () => {
  const texts = [
    '',
    '\n',
    'ClusterName=x',
    'ClusterName=x\n',
    'ClusterName=x\n\n# the end\n\n',
    'JobSubmitPlugins=all_partitions\nClusterName=x\n',
    '  jobsubmitplugins = all_partitions   # why\r\nClusterName=x\r\n',
    'ClusterName=x JobSubmitPlugins="require_timelimit" SlurmUser=slurm\n',
    '#JobSubmitPlugins=lua\nClusterName=x # JobSubmitPlugins=lua\n',
    'JobSubmitPlugins=partition\nJobSubmitPlugins=all_partitions',
    'Comment=a\\#JobSubmitPlugins=partition\n',
    'Epilog=/a(b)/$&/%j\nNodeName=n[1-3] Feature="a,b"\nInclude other.conf\n',
  ];

  it.each(texts)('is set, set once, and unset to the byte: %j', (text) => {
    const changed = set(text);
    expect(findParameter(changed, 'JobSubmitPlugins')?.value.split(',').at(-1)).toBe('lua');
    expect(set(changed)).toBe(changed);
    expect(unsetParameter(changed, 'JobSubmitPlugins')).toBe(text);
    // Nothing else is another than it was.
    const rest = (lines: string): string[] => lines.split('\n').filter((line) => !/JobSubmitPlugins/i.test(line));
    expect(rest(changed)).toEqual(rest(text));
  });

  it('keeps what else is on its line', () => {
    const text = 'ClusterName=x JobSubmitPlugins=partition SlurmUser=slurm # note\n';
    expect(set(text).split('\n').slice(1, 3)).toEqual([
      '# was: ClusterName=x JobSubmitPlugins=partition SlurmUser=slurm # note',
      'ClusterName=x JobSubmitPlugins=partition,lua SlurmUser=slurm # note',
    ]);
  });

  it('stays in its place when lines follow it later', () => {
    const later = `${set('ClusterName=x\n')}SlurmUser=slurm\n`;
    expect(set(later)).toBe(later);
    expect(unsetParameter(later, 'JobSubmitPlugins')).toBe('ClusterName=x\nSlurmUser=slurm\n');
  });

  it('stays where it is right already', () => {
    const text = 'JobSubmitPlugins=all_partitions,lua\n';
    expect(set(text)).toBe(text);
  });

  it.each([
    'JobSubmitPlugins=partition \\\n  SlurmUser=slurm\n',
    'SlurmUser=slurm \\\nJobSubmitPlugins=partition\n',
    'SlurmUser=slurm \\',
  ])('is left alone where a line goes on in the next one: %j', (text) => {
    expect(() => set(text)).toThrow(/backslash/);
  });

  it('keeps two parameters apart', () => {
    const one = set('ClusterName=x\n');
    const both = setParameter(one, 'TaskProlog', (value) => (value === undefined ? '/a b' : undefined));
    expect(unsetParameter(both, 'JobSubmitPlugins')).toBe(setParameter('ClusterName=x\n', 'TaskProlog', () => '/a b'));
    expect(unsetParameter(both, 'TaskProlog')).toBe(one);
  });
});
