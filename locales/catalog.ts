import { parsePoFile } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/** Messages as Lingui takes them, by id. */
export type Messages = Record<string, ReturnType<typeof compileMessage>>

/** Marks a message whose msgid is its id; any other's is made from its English text. */
const EXPLICIT_ID = 'js-lingui-explicit-id'

/** What a language does with its texts that no translator should have to type, by its code. */
const TYPESETTING: Record<string, (text: string) => string> = {
  // A word of one letter does not end a line in Polish.
  pl: (text) => text.replace(/(?<![\p{L}\p{N}])([aiouwz]) /giu, '$1\u00a0'),
}

/**
 * The messages of a catalog, ready to be shown. Only those that some file of `folders` uses ('web/', 'contract/'); all
 * of them unless told. `look` changes every text, but not what stands in for a value; it is the typesetting of the
 * catalog's language unless told.
 */
export function messagesOf(
  po: string,
  folders: readonly string[] = [''],
  look: (text: string) => string = TYPESETTING[languageOf(po)] ?? ((text) => text),
): Messages {
  const messages: Messages = {}
  for (const { id, text, files } of entriesOf(po)) {
    if (files.some((file) => folders.some((folder) => file.startsWith(folder))))
      messages[id] = compileMessage(text, look)
  }
  return messages
}

/** The messages of a catalog by the file that uses them; one that several files use is with each of them. */
export function messagesByFile(po: string): ReadonlyMap<string, Messages> {
  const byFile = new Map<string, Messages>()
  for (const { id, text, files } of entriesOf(po)) {
    for (const file of files) byFile.set(file, { ...byFile.get(file), [id]: compileMessage(text) })
  }
  return byFile
}

const languageOf = (po: string): string => /^"Language: (\w+)\\n"$/m.exec(po)?.[1] ?? ''

export type Entry = { id: string; text: string; files: readonly string[] }

/** What a catalog has a text for. */
export function entriesOf(po: string): Entry[] {
  return parsePoFile(po).items.flatMap(({ msgid, msgstr: [text], msgctxt, extractedComments, references }) => {
    const id = extractedComments.includes(EXPLICIT_ID) ? msgid : generateMessageId(msgid, msgctxt ?? undefined)
    return text ? [{ id, text, files: references }] : []
  })
}
