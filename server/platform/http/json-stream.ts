/** What is written as JSON: values as they are; what is still to be read is read when its turn comes, lists bit by bit. */
export type Written = { [name: string]: unknown }

/** How much is gathered before it is handed on, in UTF-16 units: small enough for memory, large enough for a socket. */
const PIECE = 32_768

/**
 * JSON text of `value`, in pieces, never held as a whole. A function in it is called for its value, and an async
 * iterable is written as an array; both may hold more of the same.
 */
export async function* jsonPieces(value: unknown): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts(value)) {
    piece += text
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

async function* texts(value: unknown): AsyncGenerator<string> {
  if (typeof value === 'function') yield* texts(await (value as () => unknown)())
  else if (isAsyncIterable(value)) yield* list(value)
  else if (isPlain(value)) yield* fields(value)
  else yield JSON.stringify(value)
}

async function* list(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const item of items) {
    yield before
    yield* texts(item)
    before = ',\n'
  }
  yield before === '[\n' ? '[]' : '\n]'
}

async function* fields(value: Written): AsyncGenerator<string> {
  let before = '{'
  for (const [name, field] of Object.entries(value)) {
    yield `${before}${JSON.stringify(name)}: `
    yield* texts(field)
    before = ',\n'
  }
  yield before === '{' ? '{}' : '}'
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** An object that may hold something still to be read; one that holds none is written at once. */
function isPlain(value: unknown): value is Written {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).some((field) => typeof field === 'function' || isAsyncIterable(field) || isPlain(field))
}
