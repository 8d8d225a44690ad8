"""Logs what a Dask scheduler does to Joblens, while it does it: docs/dask.md of Joblens.

    dask scheduler --preload joblens_dask.py

or, from a client: ``client.register_plugin(joblens_dask.JoblensPlugin())``. It needs the standard library alone.

The hooks only note what happens. A thread packs the notes five times a second, and a process of its own formats and
sends them: the scheduler does not wait for it, and what was noted is sent also where the scheduler is killed.
"""

import json
import logging
import marshal
import math
import os
import re
import select
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque

try:
    SOURCE  # Given where a scheduler runs this text without having the file.
except NameError:
    with open(__file__, encoding="utf-8") as file:
        SOURCE = file.read()

SENDER = "joblens_sender"
"""The name of this module in the process that sends."""

if __name__ == SENDER:
    Plugin = object
else:
    from distributed.diagnostics.plugin import SchedulerPlugin as Plugin

FLUSH_S = 0.2
MAX_NOTES = 50_000
"""Notes of one kind that wait for the next turn of the thread."""
MAX_PACKED_BYTES = 32 * 2**20
"""Packed notes that wait for the process that sends, as while the server is away."""
MAX_DATA_BYTES = 2**20
"""The longest data of an event."""
CLOSE_S = 5.0
PIPE_S = 1.0
"""How long the end of the scheduler waits for the pipe to take the rest, before it goes through a file."""
PACK_NOTES, PACK_BYTES = 1000, 2**18
TELL_S = 60.0
SETTINGS = {
    "url": ["JOBLENS_URL"],
    "token": ["JOBLENS_SERVE_TOKEN", "JOBLENS_TOKEN", "INFLUX_TOKEN"],
    "bucket": ["INFLUX_BUCKET"],
    "job": ["JOBLENS_JOB"],
    "within_job": ["JOBLENS_WITHIN_JOB"],
    "user": ["JOBLENS_USER", "SLURM_JOB_USER"],
    "name": ["JOBLENS_NAME", "SLURM_JOB_NAME"],
    "spool": ["JOBLENS_DASK_SPOOL"],
}
"""The variables of the scheduler's environment that stand in for the arguments of JoblensPlugin."""

log = logging.getLogger("distributed.joblens")


def dask_setup(scheduler):
    """Called by ``--preload``. A worker has no transitions to tell of."""
    if hasattr(scheduler, "transition_log"):
        scheduler.add_plugin(JoblensPlugin())


class JoblensPlugin(Plugin):
    """Notes transitions, spans of tasks, events and workers, and never waits."""

    name = "joblens"
    idempotent = True

    def __init__(self, **settings):
        unknown = settings.keys() - SETTINGS.keys()
        if unknown:
            raise TypeError(f"JoblensPlugin has no setting {', '.join(sorted(unknown))}; it has {', '.join(SETTINGS)}")
        self.settings = settings
        self.outlet = None

    def __reduce__(self):
        # The scheduler need not have this file: its text travels with the plugin.
        run = "(exec(compile(source, 'joblens_dask.py', 'exec'), module), module['JoblensPlugin'](**settings))[1]"
        module = {"__name__": "joblens_dask", "SOURCE": SOURCE}
        return eval, (run, {"source": SOURCE, "settings": self.settings, "module": module})

    async def start(self, scheduler):
        """Begins the job, with what the scheduler still knows of the time before."""
        if self.outlet is not None:
            return
        self.log = scheduler.transition_log
        self.transitions, self.spans, self.events = deque(), deque(), deque()
        self.lost = self.noted_bytes = 0
        settings = describe_job(self.settings, getattr(scheduler, "address", ""))
        self.outlet = Outlet(settings, [self.transitions, self.spans, self.events], self.take_lost)
        self.transitions.extend(self.log)
        for topic, events in scheduler.get_events().items():
            for when, message in events:
                self.note_event(topic, message, when)
        for worker in list(scheduler.workers):
            self.add_worker(scheduler, worker)

    def take_lost(self):
        lost, self.lost, self.noted_bytes = self.lost, 0, 0
        return lost

    def transition(self, key, start, finish, *args, **told):
        """What the scheduler has just written into its own log has the recommendations and the time, too."""
        if len(self.transitions) >= MAX_NOTES:
            self.lost += 1
            return
        newest = self.log[-1] if self.log else None
        if newest is None or newest[0] != key or newest[2] != finish:
            newest = (key, start, finish, {}, told.get("stimulus_id", ""), time.time())
        self.transitions.append(newest)
        if start == "processing" and told.get("startstops"):
            thread, startstops = told.get("thread"), told["startstops"]
            self.spans.append((key, told.get("worker"), thread, startstops, told.get("nbytes"), finish))

    def log_event(self, topic, msg):
        self.note_event(topic, msg, time.time())

    def note_event(self, topic, message, when):
        # Text at once: the message may change before it is sent.
        text = to_json(message)
        self.noted_bytes += len(text)
        if len(text) > MAX_DATA_BYTES or self.noted_bytes > MAX_PACKED_BYTES or len(self.events) >= MAX_NOTES:
            self.lost += 1
        else:
            self.events.append((topic, text, when, None))

    def add_worker(self, scheduler, worker):
        state = scheduler.workers.get(worker)
        facts = {"worker": worker}
        if state is not None:
            facts.update(name=make_plain(state.name), nthreads=state.nthreads, memory_limit=state.memory_limit)
        self.events.append(("worker", to_json(facts), time.time(), (None, "JOINED")))

    def remove_worker(self, scheduler, worker, *, stimulus_id="", **rest):
        facts = {"worker": worker, "stimulus_id": stimulus_id}
        self.events.append(("worker", to_json(facts), time.time(), ("JOINED", "LEFT")))

    async def close(self):
        """Ends the job. What was noted gets a few seconds to be sent, without holding up the scheduler's loop."""
        import asyncio

        if self.outlet is not None:
            await asyncio.get_running_loop().run_in_executor(None, self.outlet.close)


def find_prefix():
    """The prefix of ids; one that names the Slurm cluster is none where there is no cluster (config/job-prefix.ts)."""
    prefix, cluster = os.environ.get("JOBLENS_JOB_PREFIX", ""), os.environ.get("SLURM_CLUSTER_NAME", "")
    return prefix.replace("{cluster}", cluster) if cluster or "{cluster}" not in prefix else ""


def describe_job(given, address):
    """The settings, and what the job is. Each start is a job of its own, unless it was given a name."""
    import getpass
    import socket

    settings = dict(given)
    for name, variables in SETTINGS.items():
        values = [os.environ[each] for each in variables if os.environ.get(each)]
        if values and name not in settings:
            settings[name] = values[0]
    host = socket.gethostname()
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    own = f"{find_prefix()}dask-{host}-{stamp}-{os.getpid()}"
    settings.setdefault("url", "http://127.0.0.1:8186")
    settings["job"] = settings.get("within_job") or settings.get("job") or own
    settings["is_own"] = "within_job" not in settings
    settings.setdefault("user", getpass.getuser())
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    settings.setdefault("spool", os.path.join(state, "joblens", "dask"))
    settings["origin"] = "slurm-job" if os.environ.get("SLURM_JOB_ID") else "job"
    settings["facts"] = {
        "name": settings.get("name", "dask"),
        "command": " ".join(sys.argv),
        "host": host,
        "workdir": os.getcwd(),
        "tags": json.dumps({"program": "dask", "scheduler": address}, separators=(",", ":")),
    }
    return settings


class Outlet:
    """A thread that packs what was noted, and hands it to the process that sends, as far as that takes it."""

    def __init__(self, settings, queues, take_lost):
        self.queues, self.take_lost = queues, take_lost
        self.packed, self.packed_bytes, self.offset = deque(), 0, 0
        self.lost, self.told_s = 0, -TELL_S
        self.is_closing = threading.Event()
        try:
            # Without a name: it is gone with the two processes.
            self.tail = tempfile.TemporaryFile(buffering=0)
        except OSError:
            self.tail = None
        source = SOURCE.encode()
        boot = (
            f"import os\ns=b''\nwhile len(s)<{len(source)}:s+=os.read(0,{len(source)}-len(s))\n"
            f"exec(compile(s,'joblens_dask.py','exec'),{{'__name__':'{SENDER}','SOURCE':s.decode()}})"
        )
        # A session of its own: Ctrl+C and the end of the scheduler do not end it before it has sent all.
        self.process = subprocess.Popen(
            [sys.executable, "-c", boot],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=[] if self.tail is None else [self.tail.fileno()],
        )
        self.pipe = self.process.stdin.fileno()
        os.set_blocking(self.pipe, False)
        self.push(source)
        tail = None if self.tail is None else self.tail.fileno()
        self.push_frame(("start", settings, time.time(), os.getpid(), tail))
        self.thread = threading.Thread(target=self.run, name="joblens", daemon=True)
        self.thread.start()

    def push(self, data):
        self.packed.append(data)
        self.packed_bytes += len(data)

    def push_frame(self, value):
        data = marshal.dumps(value)
        self.push(struct.pack(">I", len(data)) + data)

    def run(self):
        try:
            while not self.is_closing.wait(FLUSH_S):
                self.pack()
                self.write(FLUSH_S)
            self.pack()
            if self.lost > 0:
                self.push_frame(("lost", self.lost, time.time()))
            self.push_frame(("end", time.time()))
            deadline = time.monotonic() + PIPE_S
            while self.packed and time.monotonic() < deadline:
                self.write(FLUSH_S)
            self.write_tail()
        except OSError as error:
            log.warning("joblens: nothing more is logged, since the process that sends is gone: %s", error)
            self.packed.clear()
            while not self.is_closing.wait(FLUSH_S):
                for queue in self.queues:
                    queue.clear()
                self.take_lost()

    def pack(self):
        for kind, queue in zip(("transitions", "spans", "events"), self.queues):
            left = len(queue)
            while left > 0:
                # Events may be long.
                size = PACK_NOTES if kind != "events" else max(1, min(PACK_NOTES, PACK_BYTES // len(queue[0][1])))
                notes = [queue.popleft() for _ in range(min(left, size))]
                left -= len(notes)
                if self.packed_bytes > MAX_PACKED_BYTES:
                    self.lost += len(notes)
                else:
                    self.push(pack_notes(kind, notes))
        self.lost += self.take_lost()
        if self.lost > 0 and self.packed_bytes <= MAX_PACKED_BYTES:
            self.push_frame(("lost", self.lost, time.time()))
            if time.monotonic() - self.told_s >= TELL_S:
                self.told_s = time.monotonic()
                log.warning("joblens: %d notes were dropped, since there was no room for them", self.lost)
            self.lost = 0

    def write(self, wait_s):
        """Writes what the pipe takes, and waits this long where it takes nothing."""
        while self.packed:
            data = self.packed[0]
            try:
                self.offset += os.write(self.pipe, memoryview(data)[self.offset :])
            except BlockingIOError:
                if not select.select([], [self.pipe], [], wait_s)[1]:
                    return
            if self.offset >= len(data):
                self.packed.popleft()
                self.packed_bytes -= len(data)
                self.offset = 0

    def write_tail(self):
        """What the pipe has not taken: the process that sends reads it behind the end of the pipe."""
        try:
            if self.packed and self.tail is None:
                raise OSError("no file for them could be made")
            while self.packed:
                data = memoryview(self.packed[0])[self.offset :]
                while data:
                    data = data[os.write(self.tail.fileno(), data) :]
                self.packed.popleft()
                self.offset = 0
        except OSError as error:
            log.warning("joblens: the last %d packs of notes were dropped: %s", len(self.packed), error)

    def close(self):
        self.is_closing.set()
        self.thread.join(CLOSE_S + 1)
        self.process.stdin.close()
        try:
            self.process.wait(CLOSE_S)
        except subprocess.TimeoutExpired:
            log.warning("joblens: the last notes are still being sent, by process %d", self.process.pid)


def pack_notes(kind, notes):
    """Most notes are plain; where one is not, all are made so."""
    try:
        data = marshal.dumps((kind, [tuple(note) for note in notes]))
    except ValueError:
        data = marshal.dumps((kind, make_plain(notes)))
    return struct.pack(">I", len(data)) + data


def make_plain(value, depth=0):
    """The same value of the types that JSON has, as near as they come."""
    if value is None or type(value) in (str, bool, int, float):
        return value
    if depth > 50:
        return repr(value)[:1000]
    if isinstance(value, dict):
        return {format_key(key): make_plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        return [make_plain(each, depth + 1) for each in value]
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return make_plain(value.item(), depth + 1)
    return str(value)


def format_key(key):
    return key if type(key) is str else str(key)


# From here on: the process that sends.

RETRY_S = (0.1, 10.0)
LAST_TRY_S = 30.0
MAX_KEPT_BYTES = 2**28
MAX_LINES, MAX_LINES_BYTES = 5000, 2**22
GRIDS = {"10m": 600, "2h": 7200, "1d": 86_400}
UNSAFE = re.compile("[\x00-\x1f\\\\\x7f\u241b]")


def encode_name(name):
    """A tag value as Joblens stores it (docs/schema.md), without what line protocol cannot carry."""
    if name == "":
        return "\u241b0"
    if UNSAFE.search(name):
        name = UNSAFE.sub(lambda match: encode_character(match, name), name)
    return name


def encode_character(match, name):
    character = match.group()
    if character == "\\":
        following = name[match.end() : match.end() + 1]
        return "\u241b/" if following == "" or following in ',= \\"' else character
    if character == "\x7f":
        return "\u241b?"
    return "\u241b" + (character if character == "\u241b" else chr(ord(character) + 0x40))


def escape(name):
    return re.sub("[,= ]", r"\\\g<0>", name)


def escape_tag(name):
    return escape(encode_name(name))


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def to_json(value):
    """JSON as JavaScript reads it: numbers that are not finite are null."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError):
        return json.dumps(drop_infinite(make_plain(value)), ensure_ascii=False, separators=(",", ":"), default=str)


def drop_infinite(value):
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: drop_infinite(each) for key, each in value.items()}
    return [drop_infinite(each) for each in value] if isinstance(value, list) else value


def hash_fnv1a64(text):
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-16-le", "surrogatepass"):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def find_place(name):
    """A place among others that is the name's own: the digits at its end count, so that neighbours never share one."""
    digits = re.search("[0-9]{0,15}$", name[-15:]).group()
    return hash_fnv1a64(name[: len(name) - len(digits)]) + int(digits or 0)


def to_ns(seconds):
    """A float of seconds holds microseconds and no more."""
    return round(seconds * 1e6) * 1000


RESERVED = re.compile("^(?:time|job|user|series|task|bucket_level|bucket_stat|bucket_rows)_*$")


def format_numbers(data):
    """Each number at the top level of the data of an event is a field, too."""
    fields = []
    for key, value in data.items():
        if type(value) not in (int, float) or key in ("data", "topic", "from_state", "to_state", "state_source"):
            continue
        try:
            number = float(value)
        except OverflowError:
            continue
        if math.isfinite(number):
            name = encode_name(key)
            name = f"{name}_" if RESERVED.match(name) else f"x{name}" if re.match("x*_", name) else name
            fields.append(f",{escape(name)}={number!r}")
    return "".join(fields)


LEVEL_WIDTHS_MS = [64 * 8**level for level in range(7)]
LEVEL_SPANS, LEVEL_S, LEVEL_SHARE_OF_LIFE = 2048, 10.0, 1 / 200
MAX_STRETCHES = 32


class Levels:
    """Folds spans into slots of time for each lane, so that a million of them can be drawn (docs/schema.md)."""

    def __init__(self, began):
        self.began = self.folded = began
        self.waiting, self.stretches, self.finest, self.last_place = [], {}, None, 0

    def add(self, lane, start_ms, finish_ms):
        self.waiting.append((lane, start_ms, max(start_ms, finish_ms)))

    def take_due(self, now, is_final=False):
        """Parts of slots: lane, level, time in nanoseconds and sums. A job with few spans has none."""
        waited = now - self.folded >= max(LEVEL_S, (now - self.began) * LEVEL_SHARE_OF_LIFE)
        is_due = self.finest is not None and (waited or is_final)
        if len(self.waiting) < LEVEL_SPANS and not (is_due and self.waiting):
            return []
        slots = {}
        for lane, start_ms, finish_ms in self.waiting:
            add_ends(slots, lane, start_ms, finish_ms, 0)
            for begin_ms, end_ms in self.cover(lane, start_ms, finish_ms):
                add_ends(slots, lane, begin_ms, end_ms, 3)
        levels = [slots]
        for width_ms in LEVEL_WIDTHS_MS[1:]:
            levels.append(widen(levels[-1], width_ms))
        if self.finest is None:
            # A level with more slots than spans saves nothing.
            fitting = [level for level, found in enumerate(levels) if len(found) <= len(self.waiting)]
            self.finest = fitting[0] if fitting else len(levels) - 1
        self.last_place = max(int(now * 1e9), self.last_place + 1)
        self.waiting, self.folded = [], now
        return [
            (lane, level + 1, slot_ms * 1_000_000 + self.last_place % 64_000_000, sums)
            for level, found in enumerate(levels)
            if level >= self.finest
            for (lane, slot_ms), sums in found.items()
        ]

    def cover(self, lane, start_ms, finish_ms):
        """The parts of a stretch of time in which nothing of the lane ran so far."""
        known = self.stretches.get(lane, [])
        touched = [each for each in known if each[1] >= start_ms and each[0] <= finish_ms]
        done_ms = start_ms
        parts = []
        for begin_ms, end_ms in touched:
            if begin_ms > done_ms:
                parts.append((done_ms, begin_ms))
            done_ms = max(done_ms, end_ms)
        if finish_ms > done_ms:
            parts.append((done_ms, finish_ms))
        whole = (min([start_ms, *(each[0] for each in touched)]), max(done_ms, finish_ms))
        apart = [each for each in known if each not in touched]
        self.stretches[lane] = sorted([*apart, whole])[-MAX_STRETCHES:]
        return parts


def add_ends(slots, lane, start_ms, finish_ms, place):
    """Adds to the sums of the slots of both ends; `place` 0: starts, net and moment; 3: net and moment of stretches."""
    for time_ms, sign in ((start_ms, 1), (finish_ms, -1)):
        sums = slots.setdefault((lane, floor_to(time_ms, LEVEL_WIDTHS_MS[0])), [0, 0, 0.0, 0, 0.0])
        if place == 0:
            sums[0] += 1 if sign > 0 else 0
        first = place or 1
        sums[first] += sign
        sums[first + 1] += sign * (time_ms - floor_to(time_ms, LEVEL_WIDTHS_MS[-1]))


def widen(slots, width_ms):
    wider = {}
    for (lane, slot_ms), sums in slots.items():
        found = wider.setdefault((lane, floor_to(slot_ms, width_ms)), [0, 0, 0.0, 0, 0.0])
        for place, each in enumerate(sums):
            found[place] += each
    return wider


def floor_to(time_ms, width_ms):
    return int(time_ms // width_ms) * width_ms


class Lines:
    """Makes line protocol of notes, in the stored form of Joblens (docs/schema.md)."""

    def __init__(self, settings):
        self.settings = settings
        self.job, self.user = escape_tag(settings["job"]), escape_tag(settings["user"])
        self.last_ns, self.names = {}, {}
        self.began = self.beat_slots = self.levels = None

    def next_ns(self, topic, seconds):
        """Rises strictly in each topic, so that no event overwrites another."""
        ns = max(to_ns(seconds), self.last_ns.get(topic, 0) + 1)
        if len(self.last_ns) > 10_000:
            self.last_ns.clear()
        self.last_ns[topic] = ns
        return ns

    def escape(self, name):
        found = self.names.get(name)
        if found is None:
            if len(self.names) > 10_000:
                self.names.clear()
            found = self.names[name] = escape_tag(name)
        return found

    def format(self, kind, rest):
        if kind == "transitions":
            return [self.format_transition(*note) for note in rest[0]]
        if kind == "spans":
            return [line for note in rest[0] for line in self.format_spans(*note)]
        if kind == "events":
            return [self.format_event(*note) for note in rest[0]]
        count, seconds = rest
        say(f"{count} notes were dropped before, as there was no room for them")
        return [self.format_data("joblens", {"dropped": count}, seconds)]

    def format_transition(self, key, start, finish, recommendations, stimulus_id, seconds):
        told = {format_key(name): state for name, state in recommendations.items()}
        return self.format_data("transitions", [format_key(key), start, finish, told, stimulus_id, seconds], seconds)

    def format_event(self, topic, text, seconds, states):
        return self.format_text(topic, text, seconds, states)

    def format_data(self, topic, data, seconds, states=None, more_tags=""):
        return self.format_text(topic, to_json(data), seconds, states, more_tags)

    def format_text(self, topic, text, seconds, states=None, more_tags=""):
        old, new = states or (None, None)
        came = f",from_state={escape_tag(old)}" if old else ""
        goes = f",to_state={escape_tag(new)}" if new else ""
        tags = f"{came},job={self.job}{more_tags}{goes},topic={self.escape(format_key(topic))},user={self.user}"
        numbers = format_numbers(json.loads(text)) if text.startswith("{") else ""
        return f"job_event{tags} data={quote(text)}{numbers} {self.next_ns(topic, seconds)}"

    def format_spans(self, key, worker, thread, startstops, nbytes, finish):
        key = format_key(key)
        worker_tag = f",worker={self.escape(worker)}" if worker else ""
        for each in startstops:
            data = {name: value for name, value in each.items() if name not in ("action", "start", "stop")}
            if each["action"] == "compute":
                data["thread"] = thread
                data.update({"nbytes": nbytes} if finish == "memory" else {"state": finish})
            # Two threads may begin at one microsecond: the place in it is the task's own.
            ns = to_ns(each["start"]) + find_place(key) % 1000
            duration_ms = max(0.0, (each["stop"] - each["start"]) * 1000)
            lane = (self.escape(each["action"]), worker_tag)
            self.levels.add(lane, each["start"] * 1000, each["stop"] * 1000)
            yield (
                f"job_span,category={lane[0]},job={self.job},user={self.user}{worker_tag} "
                f"id={quote(key)},name={quote(split_key(key))},duration_ms={duration_ms!r},"
                f'data={quote(to_json(data))},part="whole" {ns}'
            )

    def format_levels(self, seconds, is_final=False):
        # Where the job is another's, its levels are, too: these are a part beside them.
        task = "" if self.settings["is_own"] else ",task=dask"
        lines = []
        for (category, worker_tag), level, ns, sums in self.levels.take_due(seconds, is_final):
            names = zip(("starts", "net", "moment", "busy_net", "busy_moment"), sums)
            fields = ",".join(f"{name}={each!r}" for name, each in names if each != 0 or name == "net")
            tags = f"category={category},job={self.job},span_level={level}{task},user={self.user}{worker_tag}"
            lines.append(f"job_span_level,{tags} {fields} {ns}")
        return lines

    def format_job(self, facts, seconds):
        fields = [f"{name}={quote(value) if isinstance(value, str) else value}" for name, value in facts.items()]
        return f"job,job={self.job},user={self.user} {','.join(fields)} {self.next_ns('job', seconds)}"

    def format_change(self, old, new, data, seconds):
        """A change of the job's state is two points, of which one is the job's and one is for questions about all."""
        origin = self.settings["origin"]
        event = self.format_data("state", data, seconds, (old, new), f",state_source={origin}")
        ns = to_ns(seconds) // 1_000_000 * 1_000_000 + find_place(self.settings["job"]) % 1_000_000
        tags = f"{f',from_state={old}' if old else ''},source={origin},to_state={new},user={self.user}"
        fields = [f"job={quote(encode_name(self.settings['job']))}", f"name={quote(self.settings['facts']['name'])}"]
        if old is not None:
            ran_s = max(0.0, seconds - self.began)
            fields += [f"{name}={ran_s!r}" for name in ("runtime_s", "node_s", "cpu_s")]
            fields.append(f"started={int(self.began * 1000)}")
        return [event, f"job_transition{tags} {','.join(fields)} {ns}"]

    def format_start(self, seconds):
        self.began, self.beat_slots, self.levels = seconds, {}, Levels(seconds)
        if not self.settings["is_own"]:
            return []
        facts = {**self.settings["facts"], "state": "RUNNING", "started": int(seconds * 1000)}
        change = self.format_change(None, "RUNNING", {}, seconds)
        return [self.format_job(facts, seconds), *change, *self.format_beats(seconds)]

    def format_end(self, seconds, state, reason):
        if not self.settings["is_own"]:
            return []
        facts = {"state": state, "ended": int(seconds * 1000), **({"reason": reason} if reason else {})}
        change = self.format_change("RUNNING", state, {"reason": reason} if reason else {}, seconds)
        self.beat_slots = {}
        return [self.format_job(facts, seconds), *change, *self.format_beats(seconds, state)]

    def format_beats(self, seconds, state="RUNNING"):
        """The heartbeats of slots that have begun since the last call."""
        if not self.settings["is_own"]:
            return []
        lines = []
        for grid, slot_s in GRIDS.items():
            slot_ms = int(seconds // slot_s) * slot_s * 1000
            if self.beat_slots.get(grid) == slot_ms:
                continue
            self.beat_slots[grid] = slot_ms
            ns = slot_ms * 1_000_000 + (hash_fnv1a64(f"{self.settings['job']} {slot_ms}") >> 32)
            job = quote(encode_name(self.settings["job"]))
            lines.append(
                f"job_heartbeat,grid={grid},user={self.user} "
                f'job={job},state="{state}",started={int(self.began * 1000)} {ns}'
            )
        return lines


def split_key(key):
    """The name of a task, as Dask's own key_split: `inc` of `inc-5a3b…`, `sum` of `('sum-5a3b…', 0)`."""
    key = key.lstrip("('\"")
    words = re.split(r"['\",]", key)[0].split("-")
    name = [words[0]]
    for word in words[1:]:
        # Behind the name come digits, and tokens of hexadecimal digits.
        if not word.isalpha() or (len(word) == 8 and re.fullmatch("[a-f]{8}", word)):
            break
        name.append(word)
    return "-".join(name) or key


class Http:
    """Posts lines until they are taken. The messages for people go to the scheduler's own standard error."""

    def __init__(self, settings):
        from urllib.parse import quote as quote_query
        from urllib.parse import urlsplit

        self.url = urlsplit(settings["url"])
        bucket = settings.get("bucket")
        database = f"?db={quote_query(bucket)}&precision=ns" if bucket else "?precision=ns"
        self.path = f"{self.url.path.rstrip('/')}/write{database}"
        self.headers = {"Content-Type": "text/plain; charset=utf-8"}
        if settings.get("token"):
            self.headers["Authorization"] = f"Token {settings['token']}"
        self.connection = None
        self.told_s = -TELL_S

    def post(self, body, count, wait):
        """True: taken, or refused for good, which is said. `wait(seconds)` waits, and says whether to go on trying."""
        wait_s = RETRY_S[0]
        while True:
            status, answer = self.try_once(body)
            if 200 <= status < 300:
                return True
            if status == 400:
                say(f"some of {count} points were refused: {answer}")
                return True
            if time.monotonic() - self.told_s >= TELL_S:
                self.told_s = time.monotonic()
                say(f"{self.url.geturl()} does not take points, which wait now: {answer}")
            if not wait(wait_s):
                return False
            wait_s = min(wait_s * 2, RETRY_S[1])

    def try_once(self, body):
        import http.client

        try:
            if self.connection is None:
                kind = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
                self.connection = kind(self.url.hostname, self.url.port, timeout=30)
            self.connection.request("POST", self.path, body, self.headers)
            response = self.connection.getresponse()
            text = response.read(2000).decode("utf-8", "replace")
            if not response.isclosed():
                self.reset()
            return response.status, f"HTTP {response.status} {text.strip()}"
        except (OSError, http.client.HTTPException) as error:
            self.reset()
            return 0, str(error) or type(error).__name__

    def reset(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


class Kept:
    """Points that nobody took before the scheduler's end, in files: the next start with the same address sends them."""

    def __init__(self, settings):
        self.folder = settings["spool"]
        to = {name: settings[name] for name in ("url", "bucket") if settings.get(name)}
        # A comment in line protocol: a file can be sent by hand as it is.
        self.head = f"# {json.dumps(to)}\n".encode()
        self.lost = self.count = 0

    def keep(self, body, count):
        """Returns why it could not, if so."""
        if count == 0:
            return None
        try:
            os.makedirs(self.folder, 0o700, exist_ok=True)
            if sum(each.stat().st_size for each in os.scandir(self.folder)) + len(body) > MAX_KEPT_BYTES:
                raise OSError(f"{self.folder} holds {MAX_KEPT_BYTES >> 20} MiB already")
            self.write(f"{time.time_ns():020}-{os.getpid()}.lp", body)
            self.count += count
        except OSError as error:
            self.lost += count
            return error
        return None

    def write(self, name, body):
        path, unfinished = os.path.join(self.folder, name), os.path.join(self.folder, f".{name}")
        try:
            with open(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(self.head + body)
                file.flush()
                os.fsync(file.fileno())
            os.rename(unfinished, path)
        except OSError:
            if os.path.exists(unfinished):
                os.unlink(unfinished)
            raise

    def send(self, http, wait):
        """Sends file by file, and stops where one is not taken. Points that two starts send are the same points."""
        try:
            names = sorted(name for name in os.listdir(self.folder) if name.endswith(".lp") and name[0] != ".")
        except OSError:
            return
        for name in names:
            path = os.path.join(self.folder, name)
            try:
                with open(path, "rb") as file:
                    if file.readline(10_000) != self.head:
                        continue
                    body = file.read()
                if not http.post(body, body.count(b"\n"), wait):
                    return
                os.unlink(path)
            except FileNotFoundError:
                continue
            except OSError as error:
                say(f"{path} could not be sent: {error}")
                continue
            yield name


def say(text):
    print(f"joblens: {text}", file=sys.stderr, flush=True)


class Frames:
    """Reads what the scheduler's thread writes. The parent's end is seen even where another process holds the pipe."""

    def __init__(self):
        self.data, self.parent, self.is_closed, self.is_ended = bytearray(), os.getppid(), False, False
        self.tail, self.tail_offset = None, 0
        self.poll = select.poll()
        self.poll.register(0, 0)

    def read(self, wait_s):
        """The next frame, None where there is none yet, or none any more."""
        while not self.is_ended:
            if len(self.data) >= 4:
                (length,) = struct.unpack_from(">I", self.data)
                if len(self.data) >= 4 + length:
                    frame = marshal.loads(bytes(self.data[4 : 4 + length]))
                    del self.data[: 4 + length]
                    return frame
            piece = self.read_piece(wait_s)
            if piece is None:
                return None
            self.is_ended = piece == b""
            self.data += piece
        return None

    def read_piece(self, wait_s):
        if not self.is_closed:
            if select.select([0], [], [], wait_s)[0]:
                piece = os.read(0, 2**20)
                if piece != b"":
                    return piece
            elif not self.has_lost_parent():
                return None
            self.is_closed = True
        if self.tail is None:
            return b""
        # The offset of the file itself is the scheduler's.
        piece = os.pread(self.tail, 2**20, self.tail_offset)
        self.tail_offset += len(piece)
        return piece

    def wait(self, seconds):
        """Waits, and says whether the scheduler is still there: some of what it wrote may still have to be read."""
        return not self.poll.poll(seconds * 1000) and not self.has_lost_parent()

    def has_lost_parent(self):
        return os.getppid() != self.parent


class Batches:
    """Makes batches of points of what the scheduler's thread writes, to the end of the job."""

    def __init__(self, frames, settings, began, pid):
        self.frames, self.lines, self.pid, self.ended = frames, Lines(settings), pid, None
        self.pending = self.lines.format_start(began)

    def take(self):
        """The next batch: its body, and how many points it has."""
        lines, frames, pending = self.lines, self.frames, self.pending
        size = sum(map(len, pending))
        while len(pending) < MAX_LINES and size < MAX_LINES_BYTES:
            frame = frames.read(0 if pending else 1.0)
            if frame is None:
                break
            if frame[0] == "end":
                self.ended = frame[1]
            else:
                formatted = lines.format(frame[0], frame[1:])
                size += sum(map(len, formatted))
                pending += formatted
        pending += lines.format_beats(time.time()) + lines.format_levels(time.time(), frames.is_ended)
        if frames.is_ended:
            told = self.ended
            killed = f"the scheduler (process {self.pid}) ended without a word: it was killed, or crashed"
            pending += lines.format_end(told or time.time(), "COMPLETED" if told else "FAILED", None if told else killed)
        self.pending = []
        return "\n".join([*pending, ""]).encode("utf-8", "replace"), len(pending)


def send():
    """The process that sends: ends behind the scheduler, and says how that ended."""
    import signal

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    frames = Frames()
    frame = None
    while frame is None and not frames.is_ended:
        frame = frames.read(1.0)
    if frame is None:
        return
    _, settings, began, pid, frames.tail = frame
    batches, http, kept = Batches(frames, settings, began, pid), Http(settings), Kept(settings)
    older = kept.send(http, frames.wait)
    body, count = batches.take()
    while count == 0 or http.post(body, count, frames.wait):
        if frames.is_ended:
            return
        next(older, None)
        body, count = batches.take()
    keep_rest(batches, http, kept, body, count)


def keep_rest(batches, http, kept, body, count):
    """The scheduler has ended, and the server takes nothing: what is left goes into files before more is tried."""
    error = kept.keep(body, count)
    while not batches.frames.is_ended:
        error = kept.keep(*batches.take()) or error
    if kept.lost > 0:
        say(f"{kept.lost} points were dropped, since {http.url.geturl()} does not take them: {error}")
    if kept.count == 0:
        return
    say(f"{http.url.geturl()} does not take {kept.count} points, which wait in {kept.folder} for the next start")
    end = time.monotonic() + LAST_TRY_S

    def wait(seconds):
        time.sleep(seconds)
        return time.monotonic() < end

    for _ in kept.send(http, wait):
        pass


if __name__ == SENDER:
    send()
