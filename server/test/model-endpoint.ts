import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a model is asked with. */
export type AskedModel = {
  headers: IncomingHttpHeaders
  body: {
    model: string
    stream: boolean
    messages: { role: string; content: string | null; tool_call_id?: string }[]
    tools: { function: { name: string; parameters: unknown } }[]
  }
}

/** One turn of a model's: the tools it calls, or what it says; or anything else that is done with the answer. */
export type Turn =
  | { calls: readonly { name: string; input: unknown }[] }
  | { says: readonly string[]; everyMs?: number; thenStalls?: true }
  | ((outgoing: ServerResponse) => void)

/** An OpenAI-compatible endpoint on this computer that does as it is told. */
export type ModelEndpoint = {
  url: string
  asked: AskedModel[]
  /** The turns that follow, one for each request; a request for which there is none is refused with 500. */
  play(...turns: Turn[]): void
  close(): Promise<void>
}

const MODEL = 'test-model'

const chunk = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: MODEL, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

async function perform(turn: Turn, outgoing: ServerResponse): Promise<void> {
  if (typeof turn === 'function') return turn(outgoing)
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('calls' in turn) {
    turn.calls.forEach(({ name, input }, index) => {
      const call = {
        index,
        id: `call-${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }
      outgoing.write(chunk({ role: 'assistant', tool_calls: [call] }))
    })
    outgoing.end(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
    return
  }
  for (const text of turn.says) {
    outgoing.write(chunk({ role: 'assistant', content: text }))
    await new Promise((resolve) => {
      setTimeout(resolve, turn.everyMs ?? 0)
    })
  }
  if (!turn.thenStalls) outgoing.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
}

export async function openModelEndpoint(): Promise<ModelEndpoint> {
  const asked: AskedModel[] = []
  let turns: Turn[] = []
  const server = createServer((incoming, outgoing) => {
    let text = ''
    incoming.setEncoding('utf8')
    incoming.on('data', (part: string) => {
      text += part
    })
    incoming.on('end', () => {
      asked.push({ headers: incoming.headers, body: JSON.parse(text) as AskedModel['body'] })
      const turn = turns.shift()
      if (incoming.url !== '/v1/chat/completions' || !turn)
        outgoing.writeHead(500).end('{"error":{"message":"no turn"}}')
      else void perform(turn, outgoing)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    play: (...next) => {
      turns = next
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
