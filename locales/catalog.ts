import { parsePoFile } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/** Compiled Lingui messages by id. */
export type Messages = Record<string, ReturnType<typeof compileMessage>>

/**
 * A comment that Lingui adds to a message whose msgid is its id. The id of any other message is generated from its English
 * text.
 */
const EXPLICIT_ID = 'js-lingui-explicit-id'

/** Automatic typesetting by language code, so that translators do not type it. */
const TYPESETTING: Record<string, (text: string) => string> = {
  // In Polish, a word of one letter may not end a line.
  pl: (text) => text.replace(/(?<![\p{L}\p{N}])([aiouwz]) /giu, '$1\u00a0'),
}

/**
 * Returns the compiled messages of a catalog. `folders` ('web/', 'contract/') limits them to the messages that files in these
 * folders use; all messages by default. `look` transforms every text except its placeholders; by default it is the typesetting
 * of the catalog's language.
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

/** Returns the messages of a catalog by the file that uses them. A message that several files use is listed with each file. */
export function messagesByFile(po: string): ReadonlyMap<string, Messages> {
  const byFile = new Map<string, Messages>()
  for (const { id, text, files } of entriesOf(po)) {
    for (const file of files) byFile.set(file, { ...byFile.get(file), [id]: compileMessage(text) })
  }
  return byFile
}

const languageOf = (po: string): string => /^"Language: (\w+)\\n"$/m.exec(po)?.[1] ?? ''

export type CatalogEntry = { id: string; text: string; files: readonly string[] }

/** Returns the entries of a catalog that have a text. */
export function entriesOf(po: string): CatalogEntry[] {
  return parsePoFile(po).items.flatMap(({ msgid, msgstr: [text], msgctxt, extractedComments, references }) => {
    const id = extractedComments.includes(EXPLICIT_ID) ? msgid : generateMessageId(msgid, msgctxt ?? undefined)
    return text ? [{ id, text, files: references }] : []
  })
}
