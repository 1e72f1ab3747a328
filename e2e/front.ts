import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Front = {
  url: string
  /** From now on serves a version of the app whose entry has another name, and no longer has the files that match. */
  deploy(gone: RegExp): void
  /** Whether nothing is answered: a network that lies about being one. */
  hang(on: boolean): void
  close(): Promise<void>
}

/** What stands before a bank on its way to a browser, so that a test can put a new version in place, or lose the line. */
export async function openFront(bank: string): Promise<Front> {
  const { origin, host, port } = new URL(bank)
  let hangs = false
  let gone: RegExp | null = null
  const waiting = new Set<ServerResponse>()

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const headers: NodeJS.Dict<string | string[]> = { ...incoming.headers, host }
    if (headers['origin']) headers['origin'] = origin
    // What is changed on its way has to be readable.
    delete headers['accept-encoding']
    delete headers['if-none-match']
    const path = renamedBack(incoming.url ?? '/')
    const asked = request({ host: 'localhost', port, path, method: incoming.method, headers }, (answer) => {
      const changes = gone !== null && /html|javascript/.test(answer.headers['content-type'] ?? '')
      if (!changes) return void answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers))
      const { 'content-length': _length, etag: _etag, ...kept } = answer.headers
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        outgoing.writeHead(answer.statusCode ?? 502, kept).end(renamed(Buffer.concat(parts), path)),
      )
    })
    asked.on('error', () => outgoing.destroy())
    incoming.pipe(asked)
  }

  /** The new version's page and worker name the entry anew; its worker does not know the files that are gone. */
  function renamed(content: Buffer, path: string): string {
    const text = content.toString()
    if (path.startsWith('/assets/')) return text
    const anew = text.replaceAll(/assets\/index-([\w-]{8})\.js/g, 'assets/index-$1-new.js')
    return anew.replaceAll(/"\/assets\/[^"]+",?/g, (file) => (gone?.test(file) ? '' : file)).replaceAll(',]', ']')
  }
  const renamedBack = (path: string): string => path.replace('-new.js', '.js')

  const server = createServer((incoming, outgoing) => {
    if (hangs) waiting.add(outgoing)
    else if (gone?.test(incoming.url ?? '')) outgoing.writeHead(404).end()
    else forward(incoming, outgoing)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    deploy: (pattern) => {
      gone = pattern
    },
    hang: (on) => {
      hangs = on
      if (on) return
      for (const outgoing of waiting) outgoing.destroy()
      waiting.clear()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
