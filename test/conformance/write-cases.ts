/** One write request each; both stores must answer alike and then hold the same. All in one database, in this order. */
export interface WriteCase {
  readonly name: string;
  readonly body: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly isGzip?: boolean;
}

export const WRITE_CASES: readonly WriteCase[] = [
  { name: 'a point', body: 'm x=1 1' },
  { name: 'nothing', body: '' },
  { name: 'comments and empty lines', body: '# c\n\n  \np x=5 9' },
  { name: 'a line that is none', body: 'bad' },
  { name: 'bad lines among good ones', body: 'bad\nm x=2 2\nm x= 3' },
  { name: 'another type', body: 'm x="s" 3\nm x=4 4' },
  { name: 'another type beside a new field', body: 'm x="s",y=3 5\nm x=3i 6\nm z=3i 7' },
  { name: 'two types in one request', body: 'c a=1 1\nc a="s" 2\nc a=t 3\nc a=2 4' },
  { name: 'a tag named time', body: 'm,time=3 x=1 8\nm x=8 8' },
  { name: 'a field named time', body: 'm time=4 9' },
  { name: 'a field named time beside another', body: 'm time=4,k=1 10' },
  { name: 'another type and a bad line', body: 'm x="s" 5\nbad' },
  { name: 'unknown precision', body: 'p x=6 6', parameters: { precision: 'q' } },
  { name: 'seconds', body: 'p x=7 7', parameters: { precision: 's' } },
  { name: 'milliseconds', body: 'p x=7 7', parameters: { precision: 'ms' } },
  { name: 'microseconds', body: 'p x=7 7', parameters: { precision: 'u' } },
  { name: 'hours', body: 'p x=7 7', parameters: { precision: 'h' } },
  { name: 'minutes', body: 'p x=7 7', parameters: { precision: 'm' } },
  { name: 'a consistency', body: 'p x=8 8', parameters: { consistency: 'all' } },
  { name: 'an unknown consistency', body: 'p x=9 8', parameters: { consistency: 'foo' } },
  { name: 'a retention policy', body: 'p x=10 10', parameters: { rp: 'autogen' } },
  { name: 'an unknown retention policy', body: 'p x=11 10', parameters: { rp: 'foo' } },
  { name: 'gzip', body: 'p x=12 12\np x=13 13', isGzip: true },
  { name: 'no database', body: 'm x=1', parameters: { db: '' } },
  { name: 'an unknown database', body: 'm x=1', parameters: { db: 'nodb' } },
  { name: 'fields of every type', body: 't f=1.5,i=-3i,s="a\\"b",b=true,b2=F 1\nt f=-2e3,i=9223372036854775807i 2' },
  { name: 'an integer too large', body: 't i=9223372036854775808i 3' },
  { name: 'not a number', body: 't f=nan 3\nt f=inf 3' },
  { name: 'a time out of range', body: 't f=1 9223372036854775807' },
  { name: 'a time with fraction', body: 't f=1 1.5' },
  { name: 'CRLF', body: 't f=5 5\r\nt f=6 6\r\n' },
  { name: 'a string with a newline', body: 'u s="a\nb" 1' },
  { name: 'a tag without value', body: 'u,a= s="x" 2' },
  { name: 'the same tag twice', body: 'u,a=1,a=2 s="x" 2' },
  { name: 'tags in another order', body: 'o,b=2,a=1 f=1 1\no,a=1,b=2 g=2 1' },
  { name: 'the same field twice', body: 'd f=1,f=2 1' },
];
