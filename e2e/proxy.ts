import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TestProxy = {
  url: string
  /**
   * Serves a new version of the app from now on. Its entry file has another name, and the files that match `gone` are missing.
   */
  deploy(gone: RegExp): void
  /** Makes requests get no response, as on a network without internet access, or lets them through again. */
  hang(on: boolean): void
  close(): Promise<void>
}

/** Opens a proxy between a bank and a browser, so that a test can deploy a new version or cut the connection. */
export async function openTestProxy(bank: string): Promise<TestProxy> {
  const { origin, host, port } = new URL(bank)
  let hangs = false
  let gonePattern: RegExp | null = null
  const waitingResponses = new Set<ServerResponse>()

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const headers: NodeJS.Dict<string | string[]> = { ...incoming.headers, host }
    if (headers['origin']) headers['origin'] = origin
    // The proxy changes the text of responses, so they must not be compressed.
    delete headers['accept-encoding']
    delete headers['if-none-match']
    const path = renamedBack(incoming.url ?? '/')
    const outgoingRequest = request({ host: 'localhost', port, path, method: incoming.method, headers }, (answer) => {
      const changes = gonePattern !== null && /html|javascript/.test(answer.headers['content-type'] ?? '')
      if (!changes) return void answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers))
      const { 'content-length': _length, etag: _etag, ...otherHeaders } = answer.headers
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        outgoing.writeHead(answer.statusCode ?? 502, otherHeaders).end(renamed(Buffer.concat(parts), path)),
      )
    })
    outgoingRequest.on('error', () => outgoing.destroy())
    incoming.pipe(outgoingRequest)
  }

  /**
   * The page and the service worker of the new version contain the entry's new name. Its worker does not list the missing
   * files.
   */
  function renamed(content: Buffer, path: string): string {
    const text = content.toString()
    if (path.startsWith('/assets/')) return text
    const renamedText = text.replaceAll(/assets\/index-([\w-]{8})\.js/g, 'assets/index-$1-new.js')
    return renamedText
      .replaceAll(/"\/assets\/[^"]+",?/g, (file) => (gonePattern?.test(file) ? '' : file))
      .replaceAll(',]', ']')
  }
  const renamedBack = (path: string): string => path.replace('-new.js', '.js')

  const server = createServer((incoming, outgoing) => {
    if (hangs) waitingResponses.add(outgoing)
    else if (gonePattern?.test(incoming.url ?? '')) outgoing.writeHead(404).end()
    else forward(incoming, outgoing)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    deploy: (pattern) => {
      gonePattern = pattern
    },
    hang: (isHung) => {
      hangs = isHung
      if (isHung) return
      for (const outgoing of waitingResponses) outgoing.destroy()
      waitingResponses.clear()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
