-- Logs the batch jobs of users who ask for it: sbatch --comment=joblens, or JOBLENS_WRAP=1 in the environment of sbatch.
-- It puts a line into the script. That line starts the script again under `joblens run`, which passes its output through
-- untouched and logs it. Without joblens on the node, the script runs as it is. This plugin reads and writes nothing,
-- because slurmctld holds its locks meanwhile.
-- Installation: docs/slurm.md.

-- Where joblens is on the nodes.
local JOBLENS = "joblens"
-- The word in the comment, and the variable in the environment, with which users ask. An opt-in file is still needed,
-- unless they write joblens=MODE.
local WORD = "joblens"
local VARIABLE = "JOBLENS_WRAP"
-- true: every batch script is wrapped, and only the owner's ~/.logoptin decides, when the job starts.
local WRAP_ALL = false

local MODES = { enabled = true, metadata = true, disabled = true }
local SHELLS = { bash = true, sh = true, dash = true }
-- Nested jobs inherit the variable, so it holds the id of the job whose script already runs under joblens.
local GUARD = "JOBLENS_RUNS"

-- The user's request: nil for none; otherwise "" (the opt-in file decides) or a mode.
local function find_request(job)
  for word in string.gmatch(job.comment or "", "[^%s,;]+") do
    if word == WORD then return "" end
    local prefix = WORD .. "="
    if string.sub(word, 1, #prefix) == prefix then return string.sub(word, #prefix + 1) end
  end
  local environment = job.environment
  local value = environment ~= nil and environment[VARIABLE] or nil
  if value ~= nil and value ~= "" and value ~= "0" then return "" end
  return nil
end

-- The name of the interpreter in the first line, without `env`: "bash" for "#!/usr/bin/env bash -l".
local function find_interpreter(script)
  local line = string.match(script, "^#!%s*([^\r\n]*)")
  if line == nil then return nil end
  for word in string.gmatch(line, "%S+") do
    local name = string.match(word, "([^/]+)$") or word
    local is_option = string.sub(word, 1, 1) == "-" or string.find(word, "=", 1, true) ~= nil
    if name ~= "env" and not is_option then return name end
  end
  return nil
end

-- Where the first command begins: after the shebang, #SBATCH lines, other comments and empty lines.
local function find_commands(script)
  local position = 1
  while position <= #script do
    local line_end = string.find(script, "\n", position, true) or #script
    local line = string.sub(script, position, line_end)
    if not string.find(line, "^%s*#") and string.find(line, "%S") then break end
    position = line_end + 1
  end
  return position
end

-- A user who did not ask is told nothing.
local function create_line(mode)
  local option = mode == nil and " --quiet" or mode == "" and "" or " --mode " .. mode
  return string.format(
    '[ "${%s-}" = "$SLURM_JOB_ID" ] || ! command -v %s >/dev/null 2>&1 || %s=$SLURM_JOB_ID exec %s run%s -- "$0" "$@" # joblens\n',
    GUARD, JOBLENS, GUARD, JOBLENS, option
  )
end

-- Returns the wrapped script, or nil and why it is left alone.
local function wrap(script, mode)
  if mode ~= nil and mode ~= "" and not MODES[mode] then
    return nil, WORD .. "=" .. mode .. ": the mode must be enabled, metadata or disabled"
  end
  local interpreter = find_interpreter(script)
  if interpreter == nil or not SHELLS[interpreter] then
    return nil, "only bash and sh scripts are wrapped; put `joblens run --` in front of the program that is to be logged"
  end
  local position = find_commands(script)
  if position > #script then return nil, "the script has no command" end
  return string.sub(script, 1, position - 1) .. create_line(mode) .. string.sub(script, position)
end

function slurm_job_submit(job, partitions, uid)
  -- srun and salloc have no script.
  if job.script == nil or job.script == "" then return slurm.SUCCESS end
  local mode = find_request(job)
  if mode == nil and not WRAP_ALL then return slurm.SUCCESS end
  local script, fault = wrap(job.script, mode)
  if script == nil then
    if mode ~= nil then slurm.log_user("joblens: this job is not logged: %s", fault) end
    return slurm.SUCCESS
  end
  job.script = script
  return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, uid)
  return slurm.SUCCESS
end
