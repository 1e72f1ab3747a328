import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to a model. */
export type AskedModel = {
  headers: IncomingHttpHeaders
  body: {
    model: string
    messages: { role: string; content: string | null }[]
    response_format: { type: string; json_schema?: { schema: unknown } }
  }
}

/** The model's response to one request, or a function that writes any other response. */
export type Turn = { says: string; finish?: string } | ((outgoing: ServerResponse) => void)

/** An OpenAI-compatible endpoint on this computer with scripted responses. */
export type ModelEndpoint = {
  url: string
  requests: AskedModel[]
  /** Sets the next turns, one per request. A request without a turn gets status 500. */
  play(...turns: Turn[]): void
  close(): Promise<void>
}

const MODEL = 'test-model'

function perform(turn: Turn, outgoing: ServerResponse): void {
  if (typeof turn === 'function') return turn(outgoing)
  const choice = { index: 0, message: { role: 'assistant', content: turn.says }, finish_reason: turn.finish ?? 'stop' }
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: MODEL, choices: [choice] }))
}

export async function openModelEndpoint(): Promise<ModelEndpoint> {
  const requests: AskedModel[] = []
  let turns: Turn[] = []
  const server = createServer((incoming, outgoing) => {
    let text = ''
    incoming.setEncoding('utf8')
    incoming.on('data', (part: string) => {
      text += part
    })
    incoming.on('end', () => {
      requests.push({ headers: incoming.headers, body: JSON.parse(text) as AskedModel['body'] })
      const turn = turns.shift()
      if (incoming.url !== '/v1/chat/completions' || !turn)
        outgoing.writeHead(500).end('{"error":{"message":"no turn"}}')
      else perform(turn, outgoing)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    play: (...next) => {
      turns = next
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
