# Runs the command of `joblens run` as it would be without joblens, and joblens beside it: ARCHITECTURE.md, "The processes
# of one run". Node would close descriptors, stop ignoring signals, raise limits and change bytes that are not UTF-8.
# The launcher gives: HOLDER SKIP CLOSED NODE BUNDLE run|pipe WORD...    HOLDER: a process with the environment as it came
# here; SKIP: how many WORDs are options, should joblens not start; CLOSED: a dash, and the digits of descriptors.
# Nothing but the core of perl, as one of its modules costs as much time as the rest. One file although it is long: its
# parts share the state of one process, and each file more is one more that may be missing when a command is to start.
use strict;
use Config;

our ($is_whole, $has_begun, $file);
return unless $is_whole;
$has_begun = 1;

# The numbers of execve, rt_sigprocmask, signalfd4, setsid, prctl, getitimer, setitimer (Linux: arch/*/entry/syscalls,
# include/uapi/asm-generic/unistd.h).
my @GENERIC_CALLS = (221, 135, 74, 157, 167, 102, 103);
my %CALLS = (
  x86_64 => [59, 14, 289, 112, 157, 36, 38], aarch64 => [@GENERIC_CALLS], riscv64 => [@GENERIC_CALLS],
  powerpc64le => [11, 174, 313, 66, 171, 105, 104], s390x => [11, 175, 322, 66, 172, 105, 104],
);
my ($HUP, $KILL, $ALRM, $CHLD, $CONT, $STOP) = (1, 9, 14, 17, 18, 19);
my %STOP_NAMES = (20 => 'TSTP', 21 => 'TTIN', 22 => 'TTOU');
my ($F_SETFD, $F_SETFL, $SETMASK) = (2, 4, 2);
my $ENDED_OR_STOPPED = 3; # WNOHANG | WUNTRACED
my ($WRITE_ONLY, $NONBLOCK) = (1, 2048);
my ($SET_DEATH_SIGNAL, $GET_DEATH_SIGNAL, $SET_REAPER, $GET_REAPER) = (1, 2, 36, 37);
my ($ENOENT, $ENOEXEC, $EACCES, $ENOTDIR) = (2, 8, 13, 20);
my ($ALL_SIGNALS, $NO_SIGNALS) = ("\xff" x 8, "\0" x 8);
my $SIGINFO_BYTES = 128;
my $FROM_SYSTEM = 0x80;
# Joblens that says nothing for so long will not start.
my $PATIENCE_S = 10;
# A sender that signals all processes may reach the witness this long before or after us.
my $SPREAD_S = 0.05;
# A witness that does not answer for so long is stopped, or gone.
my $ANSWER_S = 2;
# How often the witness looks whether a command that has stopped goes on.
my $LOOK_S = 0.2;
# What this file and the launcher tell Node; older values would go before them.
my $OWN = qr/^(?:NODE_OPTIONS|JOBLENS_SUPERVISOR|JOBLENS_WORK_FOLDER|JOBLENS_INHERITED)=/;
# What a user tells the Node of a command, and our own would obey: it would print on stderr, write files among those of the
# command, take a descriptor for its parent's, or not start.
my $FOR_OTHER_NODES = qr/^NODE_(?:DEBUG|DEBUG_NATIVE|V8_COVERAGE|COMPILE_CACHE|CHANNEL_FD|CHANNEL_SERIALIZATION_MODE|UNIQUE_ID|TEST_CONTEXT|REDIRECT_WARNINGS|PENDING_DEPRECATION|PATH|ICU_DATA|PRESERVE_SYMLINKS|PRESERVE_SYMLINKS_MAIN)=/;
# The bundle hides the same variables (OWN_SECRET_VARIABLES).
my $OWN_SECRET = qr/^(?:JOBLENS_TOKEN|JOBLENS_PASSWORD)=/;

my ($holder, $skip, $closed, $node_path, $bundle, @words) = @ARGV;
my $is_pipe = $words[0] eq 'pipe';
my ($EXECVE, $SIGPROCMASK, $SIGNALFD, $SETSID, $PRCTL, $GETITIMER, $SETITIMER) = @{$CALLS{($Config{archname} =~ /^(\w+)-/)[0]} || []};

# Blocked signals wait until they are read, whether they were ignored or not, and no handler changes anything.
my $mask = "\0" x 8;
my $is_exact = $EXECVE && syscall($SIGPROCMASK, 0, 0, $mask, 8) == 0 && block_signals();
# A new descriptor must not get the number of a standard one that is closed: the command shall find it closed.
my @STANDARD = (\*STDIN, \*STDOUT, \*STDERR);
my @closed = $closed =~ /\d/g;
open($STANDARD[$_], '+<', '/dev/null') for @closed;
my $signals_fd = $is_exact ? syscall($SIGNALFD, -1, $ALL_SIGNALS, 8, 02000000 | $NONBLOCK) : -1;

my @environment = read_environment();
restore_sigfpe();
kill $KILL, $holder;
waitpid $holder, 0;
if ($signals_fd < 0) {
  syscall($SIGPROCMASK, $SETMASK, $mask, 0, 8) if $is_exact;
  %ENV = (map({ /=/ ? split(/=/, $_, 2) : () } @environment), JOBLENS_SUPERVISOR => 'none');
  exec '/bin/sh', $file =~ s/[^\/]*$/joblens/r, @words;
}
open(my $signals, '<&=', $signals_fd);

my $own_pid = $$;
my ($node, $command, $witness, $node_status, $command_status) = (0, 0, 0);
my ($from_node, $to_node, $node_errors, $from_witness, $to_witness);
my ($said, $errors, $heard, $node_works, $own_exit) = ('', '', '', 0);
my (@early, @pending, %seen);
my $inherited = join ' ', grep { $_ > 2 && $_ != $signals_fd } open_fds();

# What the process that has become this one has sent to itself.
@early = grep { $_ != $CHLD } map { $_->[0] } read_signals();
start_witness();
start_node();
block_signals();
my $patient_until = now() + $PATIENCE_S;
# Joblens decides, with all its rules for options, which words are the command, and where its output goes.
until (defined $own_exit) {
  listen_for(time_left());
  reap();
  go_without() if !$node_works && (defined $node_status || now() > $patient_until);
  pass_pending();
  $own_exit = status_of($command_status) if defined $command_status && (!$node || defined $node_status);
}
kill $KILL, $witness if $witness;
exit $own_exit;

# ---- what the command gets

# The environment of the process that the shell forked before it read or changed anything, in its order and with names
# that no shell can hold.
sub read_environment {
  my $text = read_file("/proc/$holder/environ");
  return length $text ? split(/\0/, $text) : map { "$_=$ENV{$_}" } keys %ENV;
}

# perl ignores it for itself.
sub restore_sigfpe {
  my ($ignored) = read_file("/proc/$holder/status") =~ /^SigIgn:\s*([0-9a-f]+)/m;
  $SIG{FPE} = 'DEFAULT' unless defined $ignored && hex(substr $ignored, -2) & 0x80;
}

# Whether the command shall find it blocked.
sub is_blocked {
  return unpack('Q', $mask) >> $_[0] - 1 & 1;
}

# A process has these for itself, and a program that takes its place keeps them: the signal at its parent's end, whether it
# reaps, the alarm that was set. A child gets none.
sub read_own {
  my ($death, $reaper, $alarm) = ("\0" x 4, "\0" x 4, "\0" x 32);
  syscall($PRCTL, $GET_DEATH_SIGNAL, $death, 0, 0, 0);
  syscall($PRCTL, $GET_REAPER, $reaper, 0, 0, 0);
  syscall($GETITIMER, 0, $alarm);
  return (unpack('i', $death), unpack('i', $reaper), $alarm);
}

sub give_own {
  my ($death, $reaper, $alarm) = @_;
  syscall($PRCTL, $SET_DEATH_SIGNAL, $death, 0, 0, 0) if $death;
  syscall($PRCTL, $SET_REAPER, $reaper, 0, 0, 0) if $reaper;
  syscall($SETITIMER, 0, $alarm, 0) if $alarm =~ /[^\0]/;
  # What waited for us waits for the command.
  kill $_, $$ for grep { is_blocked($_) } @early;
}

sub start_command {
  my ($count, $out, $error) = @_;
  my @command = @words[@words - $count .. $#words];
  my $has_pipe = pipe(my $fault_in, my $fault_out);
  my @own = read_own();
  my $pid = $has_pipe ? fork_command() : take_its_place();
  if (!$pid) {
    redirect(\*STDOUT, 1, $out);
    if ($out ne '-' && $out eq $error && !grep { $_ == 2 } @closed) { open(STDERR, '>&', \*STDOUT) } else { redirect(\*STDERR, 2, $error) }
    close $STANDARD[$_] for @closed;
    give_own(@own);
    syscall($SIGPROCMASK, $SETMASK, $mask, 0, 8);
    my $errno = become(grep({ !/$OWN_SECRET/ } @environment), undef, @command);
    exit command_failed($errno, $command[0]) if $$ == $own_pid;
    syswrite $fault_out, $errno;
    kill $KILL, $$;
  }
  close $fault_out;
  my $errno = '';
  1 until defined sysread $fault_in, $errno, 16;
  if (length $errno) {
    waitpid $pid, 0;
    return command_failed($errno, $command[0]);
  }
  block_signals();
  $command = $pid;
  # What the command closes must be closed: somebody may wait for that.
  close_fds(split / /, $inherited);
  open(STDIN, '<', '/dev/null');
  open(STDOUT, '>', '/dev/null');
  tell_node("started $pid");
  pass($_) for grep { !is_blocked($_) } @early;
  my $no_alarm = "\0" x 32;
  syscall($SETITIMER, 0, $no_alarm, 0) if $own[2] =~ /[^\0]/;
}

sub fork_command {
  my $pid = fork;
  return defined $pid ? $pid : take_its_place();
}

# Where no further process may run, or no file be open, the command takes the place of this one. The guardian of its
# output says so.
sub take_its_place {
  for my $other (grep { $_ } $witness, $node) {
    kill $KILL, $other;
    waitpid $other, 0;
  }
  $node = 0;
  return 0;
}

# Opens what joblens has made for the output. Without it, and where the command shall find it closed, all stays.
sub redirect {
  my ($handle, $fd, $path) = @_;
  return if $path eq '-' || grep { $_ == $fd } @closed;
  sysopen(my $fifo, $path, $WRITE_ONLY | $NONBLOCK) or return;
  fcntl($fifo, $F_SETFL, 0);
  open($handle, '>&', $fifo);
}

# execvp(3), with an environment of any bytes. Returns the error: its arguments are the environment, undef, the words.
sub become {
  my @environment;
  push @environment, shift while defined $_[0];
  shift;
  my ($name, @rest) = @_;
  my ($path) = map { /^PATH=(.*)/s } @environment;
  my @folders = $name =~ m{/} || $name eq '' ? () : split(/:/, defined $path ? $path : '/bin:/usr/bin', -1);
  my $found = $ENOENT;
  for my $file ($name =~ m{/} ? $name : map { (length $_ ? $_ : '.') . "/$name" } @folders) {
    my ($argv, $envp) = (pack('p*', $name, @rest, undef), pack('p*', @environment, undef));
    syscall($EXECVE, $file, $argv, $envp);
    if ($! == $ENOEXEC) {
      my ($shell, $words) = ('/bin/sh', pack('p*', '/bin/sh', $file, @rest, undef));
      syscall($EXECVE, $shell, $words, $envp);
    }
    next if $! == $ENOENT || $! == $ENOTDIR;
    return $! + 0 if $! != $EACCES || $name =~ m{/};
    $found = $EACCES;
  }
  return $found;
}

sub command_failed {
  my ($errno, $name) = @_;
  $errno += 0;
  my $code = $errno == $ENOENT ? 127 : 126;
  $command_status = $code << 8;
  if ($node && !defined $node_status && $node_works) { tell_node("failed $errno") }
  else { $! = $errno; say_line("cannot run $name: $!") }
  return $code;
}

# ---- joblens itself

sub start_node {
  my ($node_in, $node_out, $node_error);
  my $has_pipes = pipe($node_in, $to_node) && pipe($from_node, $node_out) && pipe($node_errors, $node_error);
  $node = $has_pipes ? fork : undef;
  if (!defined $node) { $node = 0; $node_status = 0; $errors = "joblens: no pipe or process for it: $!"; return }
  if (!$node) {
    # `--out /dev/fd/3` may need it.
    close_fds(split / /, $inherited) unless grep { m{/fd/} } @words;
    my ($stdout, $stderr);
    my $has_own = open($stdout, '>&', 1) && open($stderr, '>&', 2);
    # What it prints before joblens has begun is not for the command's readers.
    if (!($has_own && open(STDOUT, '>&', $node_error) && open(STDERR, '>&', $node_error))) {
      syswrite $node_error, "joblens: no file more for it: $!\n";
      kill $KILL, $$;
    }
    fcntl($_, $F_SETFD, 0) for $node_in, $node_out, $stdout, $stderr;
    open(STDIN, '<', '/dev/null') unless $is_pipe;
    # Node cannot catch them, and those that pass the output on live as long as it.
    $SIG{$_ == 34 ? 'RTMIN' : $_ == 64 ? 'RTMAX' : "NUM$_"} = 'IGNORE' for 32 .. 64;
    my $fds = join ',', map { fileno $_ } $node_in, $node_out, $stdout, $stderr;
    my $folder = readlink '/proc/self/cwd';
    my @own = ("JOBLENS_SUPERVISOR=$fds", "JOBLENS_WORK_FOLDER=$folder");
    my ($options) = map { /^JOBLENS_NODE_OPTIONS=(.*)/s } @environment;
    push @own, "NODE_OPTIONS=$options" if defined $options;
    # Node starts in no folder that was removed. In /proc nothing can be written by mistake.
    (stat('.'))[1] == (stat($folder))[1] or chdir '/proc' or chdir '/';
    # What kills the whole group (mpiexec, after MPI_Abort) spares those that pass on and log its last words.
    syscall($SETSID) unless $is_pipe;
    syscall($SIGPROCMASK, $SETMASK, $NO_SIGNALS, 0, 8);
    my $errno = become(grep({ !/$OWN/ && !/$FOR_OTHER_NODES/ } @environment), @own, undef, $node_path, $bundle, @words);
    $! = $errno;
    syswrite STDERR, "$node_path: $!\n";
    kill $KILL, $$;
  }
  # Signals are for it.
  return unless $is_pipe;
  $command = $node;
  pass($_) for grep { !is_blocked($_) } @early;
}

sub tell_node {
  syswrite $to_node, "$_[0]\n" if $to_node && !defined $node_status;
}

sub hear_node {
  my ($word, @rest) = split / /, $_[0];
  if ($word eq 'run' && !$node_works && !$is_pipe) { $node_works = 1; start_command(@rest) }
  if ($word eq 'alive') { $node_works = 1 }
  # It has refused the options, or was asked for help.
  if ($word eq 'exit' && !$node_works) { $node_works = 1; $command_status = $rest[0] << 8 }
}

# Joblens has not started: the command runs all the same.
sub go_without {
  kill $KILL, $node if $node && !defined $node_status;
  $node_works = 1;
  my $why = defined $node_status ? cause_of_end() : "it did not begin within $PATIENCE_S s";
  $node = 0;
  my $count = @words - 1 - $skip;
  if ($is_pipe) {
    say_line("cannot start: $why; the input passes on to standard output, but it is not logged");
    pass_input_on();
  } elsif ($count < 1) {
    say_line("cannot start: $why");
    $command_status = 1 << 8;
  } else {
    say_line("cannot start: $why; the command runs, but it is not logged");
    start_command($count, '-', '-');
  }
}

# A child does it, so that signals are passed on to it as before.
sub pass_input_on {
  undef $command_status;
  $command = fork;
  if (defined $command && $command == 0) {
    syscall($SIGPROCMASK, $SETMASK, $mask, 0, 8);
    exec 'cat';
    kill $KILL, $$;
  }
}

sub cause_of_end {
  my @lines = grep { /\S/ } split /\n/, $errors;
  my ($line) = grep { /^(?:\w*Error\b|FATAL ERROR|# Fatal|joblens: )|^\S*node: / } @lines;
  return $line =~ s/^(?:\w*Error: |joblens: |# )//r if defined $line;
  $line = $lines[0];
  $line = defined $line ? $line =~ s/^[\s#]*/: /r : '';
  my $end = $node_status & 127 ? 'signal ' . ($node_status & 127) : 'exit code ' . ($node_status >> 8);
  return "$node_path ended at once with $end$line";
}

# ---- signals

# A small process in the same process group, session, cgroup and family: what was sent to it as well was sent to all, and
# has reached the command already.
sub start_witness {
  my $has_pipes = pipe(my $asked, $to_witness) && pipe($from_witness, my $answers);
  $witness = $has_pipes ? fork : undef;
  return $witness = 0 unless defined $witness;
  return if $witness;
  block_signals();
  $0 = 'joblens: witness';
  close $_ for $to_witness, $from_witness;
  close_fds(split / /, $inherited);
  open(STDIN, '<', '/dev/null');
  open(STDOUT, '>', '/dev/null');
  open(STDERR, '>', '/dev/null');
  my $stopped = 0;
  for (;;) {
    my $ready = wait_for($stopped ? $LOOK_S : undef, $signals, $asked);
    my $text = join '', map { "$_->[0]\n" } read_signals();
    if (vec($ready, fileno($asked), 1)) {
      sysread($asked, my $question, 4096) or exit 0;
      $text .= "0\n" if $question =~ /\?/;
      $stopped = $1 while $question =~ /!(\d+)/g;
    }
    # Until we say that we go on: the command may do so before we have stopped.
    kill $CONT, $own_pid if $stopped && !is_stopped($stopped) && is_stopped($own_pid);
    syswrite $answers, $text if length $text;
  }
}

# Each waiting signal as its number, code and sender (signalfd_siginfo in <linux/signalfd.h>).
sub read_signals {
  my @found;
  while (sysread($signals, my $info, $SIGINFO_BYTES * 16)) {
    push @found, map { [(unpack 'L l l L', $_)[0, 2, 3]] } unpack "(a$SIGINFO_BYTES)*", $info;
  }
  return @found;
}

sub on_signal {
  my ($number, $code, $sender) = @_;
  # A child has ended; nobody reads what we wrote; or the witness has woken us.
  return if ($number == $CHLD && $code > 0) || $sender == $$ || ($number == $CONT && $sender == $witness);
  tell_node("signal $number");
  return push @early, $number if !$command;
  if (defined $command_status) { kill $number, $node if $node && !defined $node_status; return }
  # A terminal tells the whole group itself, but of its own end the leader of the session alone. An alarm is for one.
  my $is_for_all = ($code == $FROM_SYSTEM && !grep { $_ == $number } $HUP, $CONT, $ALRM) || (defined $seen{$number} && now() - $seen{$number} <= $SPREAD_S);
  delete $seen{$number};
  push @pending, {number => $number, at => now()} unless $is_for_all;
}

sub hear_witness {
  my ($number) = @_;
  if ($number == 0) { $_->{answered} = 1 for grep { $_->{asked} } @pending; return }
  for my $i (0 .. $#pending) {
    next if $pending[$i]{number} != $number;
    splice @pending, $i, 1;
    return;
  }
  $seen{$number} = now();
}

sub pass_pending {
  my $now = now();
  for (grep { !$_->{asked} && $now - $_->{at} >= $SPREAD_S } @pending) {
    # On a busy machine the witness gets late to its signals; it has read all that came before a question.
    $_->{asked} = 1;
    $_->{answered} = 1 unless $witness && syswrite $to_witness, '?';
  }
  my @passed = grep { $_->{answered} || $now - $_->{at} > $ANSWER_S } @pending;
  @pending = grep { !($_->{answered} || $now - $_->{at} > $ANSWER_S) } @pending;
  pass($_->{number}) for @passed;
}

sub pass {
  my ($number) = @_;
  # Another user's command (sudo) may refuse it, as it would refuse the sender.
  kill $number, $command if $command && !defined $command_status;
}

# The shell of a terminal waits until its child has stopped, and says by which signal: that of the command. The witness
# sees when that goes on.
sub stop_with_command {
  my ($number) = @_;
  # Under `pipe` it is Node, without which the output passes on.
  return if ($is_pipe && $number == $STOP) || !$witness || !is_stopped($command);
  return unless syswrite $to_witness, "!$command\n";
  $SIG{$STOP_NAMES{$number}} = 'DEFAULT' if $STOP_NAMES{$number};
  kill $number, $$;
  # Here it stops, and goes on.
  syscall($SIGPROCMASK, $SETMASK, pack('Q', ~(1 << $number - 1)), 0, 8);
  block_signals();
  syswrite $to_witness, "!0\n";
}

sub is_stopped {
  return read_file("/proc/$_[0]/stat") =~ /^.*\) T/s;
}

# ---- the loop

sub listen_for {
  my ($seconds) = @_;
  my $ready = wait_for($seconds, grep { is_open($_) } $signals, $from_node, $node_errors, $from_witness);
  my $is_ready = sub { is_open($_[0]) && vec($ready, fileno($_[0]), 1) };
  on_signal(@$_) for read_signals();
  if ($is_ready->($from_witness)) { read_lines(\$from_witness, \$heard, \&hear_witness) }
  if ($is_ready->($node_errors)) { read_errors() }
  if ($is_ready->($from_node)) { read_lines(\$from_node, \$said, \&hear_node) }
}

# A pipe that could not be made has handles all the same.
sub is_open {
  return defined $_[0] && defined fileno($_[0]);
}

sub wait_for {
  my ($seconds, @handles) = @_;
  my $ready = '';
  vec($ready, fileno($_), 1) = 1 for @handles;
  select($ready, undef, undef, $seconds) >= 0 or $ready = '';
  return $ready;
}

sub time_left {
  my @until = map { $_->{at} + ($_->{asked} ? $ANSWER_S : $SPREAD_S) } @pending;
  push @until, $patient_until unless $node_works;
  my ($first) = sort { $a <=> $b } @until;
  return undef unless defined $first;
  my $left = $first - now();
  return $left > 0.01 ? $left : 0.01;
}

sub read_lines {
  my ($handle, $rest, $hear) = @_;
  my $length = sysread $$handle, $$rest, 4096, length $$rest;
  if (!$length) { undef $$handle; return }
  $hear->($1) while $$rest =~ s/^(.*)\n//;
}

# Until joblens has begun, they say why it does not.
sub read_errors {
  my $length = sysread $node_errors, my $text, 65536;
  if (!$length) { undef $node_errors; return }
  if ($node_works) { syswrite STDERR, $text } else { $errors .= $text }
}

sub reap {
  while ((my $pid = waitpid -1, $ENDED_OR_STOPPED) > 0) {
    # Of a child that has only stopped, perl says 0 in the usual place.
    my $status = ${^CHILD_ERROR_NATIVE};
    if (($status & 0xff) == 0x7f) {
      stop_with_command($status >> 8) if $pid == $command;
      next;
    }
    if ($pid == $witness) { $witness = 0 }
    if ($pid == $node) {
      # Its last words are in the pipes.
      read_lines(\$from_node, \$said, \&hear_node) while $from_node && wait_for(0, $from_node) =~ /[^\0]/;
      read_errors() while $node_errors && wait_for(0, $node_errors) =~ /[^\0]/;
      $node_status = $status;
      syswrite STDERR, $errors if $node_works;
    }
    if ($pid == $command && (!$is_pipe || $node_works)) { $command_status = $status; tell_node("ended $status") }
  }
}

# ---- small things

sub status_of {
  my ($status) = @_;
  return $status & 127 ? 128 + ($status & 127) : $status >> 8;
}

# By a clock that nobody sets. Seconds, to a hundredth.
sub now {
  return (split / /, read_file('/proc/uptime'))[0] || 0;
}

# To be done again after each fork: the C library unblocks two for itself.
sub block_signals {
  return syscall($SIGPROCMASK, $SETMASK, $ALL_SIGNALS, 0, 8) == 0;
}

sub read_file {
  my ($path) = @_;
  open(my $file, '<', $path) or return '';
  local $/;
  my $text = <$file>;
  return defined $text ? $text : '';
}

sub open_fds {
  opendir(my $folder, '/proc/self/fd') or return;
  my @fds = grep { /^\d+$/ } readdir $folder;
  closedir $folder;
  return grep { -e "/proc/self/fd/$_" } @fds;
}

sub close_fds {
  for my $fd (@_) {
    open(my $handle, '<&=', $fd) or next;
    close $handle;
  }
}

sub say_line {
  my ($text) = @_;
  $text =~ s/\s*\n\s*/ /g;
  syswrite STDERR, "joblens: $text\n";
}

# Nothing is missing behind this line.
BEGIN { $is_whole = 1 }
