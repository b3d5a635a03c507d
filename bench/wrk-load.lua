-- Sends the requests of an order one after another and looks at every response; see wrk-load.ts.
local order = dofile(os.getenv('LOAD_ORDER'))
local expected = order.expected
local parts, sent = {}, 0
wrong, firstWrong = 0, ''

function init(args)
  for index, request in ipairs(order.requests) do
    local text = wrk.format(request.method, request.path, request.headers, request.body)
    local from, to = string.find(text, '{fresh}', 1, true)
    parts[index] = from and { string.sub(text, 1, from - 1), string.sub(text, to + 1) } or { text }
  end
end

function request()
  sent = sent + 1
  local part = parts[(sent - 1) % #parts + 1]
  if part[2] == nil then return part[1] end
  return part[1] .. order.fresh .. sent .. part[2]
end

function response(status, headers, body)
  local length = expected.bytes == nil or #body == expected.bytes
  if status ~= expected.status or not length or not string.find(body, expected.holds, 1, true) then
    wrong = wrong + 1
    if firstWrong == '' then firstWrong = status .. ' with ' .. #body .. ' bytes: ' .. string.sub(body, 1, 200) end
  end
end

-- There is one thread.
local only
function setup(thread) only = thread end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  local first = failed > 0 and failed .. ' without a response' or only:get('firstWrong')
  print(string.format(
    'report {"requests":%d,"perSecond":%.2f,"p50Ms":%.3f,"p99Ms":%.3f,"wrong":%d,"firstWrong":"%s"}',
    summary.requests, summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, only:get('wrong') + failed, (string.gsub(first, '[%c"\\]', '?'))))
end
