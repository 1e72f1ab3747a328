/**
 * Sends a request with a body, like `fetch`, and reports the fraction that was sent, 0 to 1. It uses XMLHttpRequest, because
 * `fetch` reports no upload progress. Rejects with a TypeError without a response, and with the signal's reason after an abort.
 */
export function fetchWithProgress(
  input: RequestInfo | URL,
  { method = 'PUT', headers, body, signal }: RequestInit,
  onSent: (fraction: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const giveUp = (): void => request.abort()
    request.upload.addEventListener('progress', ({ loaded, total }) => total > 0 && onSent(loaded / total))
    request.upload.addEventListener('load', () => onSent(1))
    request.addEventListener('load', () => resolve(responseOf(request)))
    request.addEventListener('error', () => reject(new TypeError('No response arrived')))
    request.addEventListener('abort', () => reject(signal?.reason))
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', giveUp))
    signal?.addEventListener('abort', giveUp)
    request.open(method, input instanceof Request ? input.url : input)
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
    request.send(body as XMLHttpRequestBodyInit)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  // For statuses without a body, such as 204, the constructor of `Response` accepts null but no empty text.
  return new Response(request.responseText || null, {
    status: request.status,
    headers: headers.filter(([name]) => name !== ''),
  })
}
