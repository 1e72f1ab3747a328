import { parsePoFile } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'

/** Messages as Lingui takes them, by id. */
export type Messages = Record<string, ReturnType<typeof compileMessage>>

/** Marks a message whose msgid is its id; any other's is made from its English text. */
const EXPLICIT_ID = 'js-lingui-explicit-id'

/**
 * The messages of a catalog, ready to be shown. Only those that some file of `folders` uses ('web/', 'contract/'); all
 * of them unless told. `look` changes every text, but not what stands in for a value.
 */
export function messagesOf(
  po: string,
  folders: readonly string[] = [''],
  look: (text: string) => string = (text) => text,
): Messages {
  const messages: Messages = {}
  for (const { msgid, msgstr, msgctxt, extractedComments, references } of parsePoFile(po).items) {
    const [text] = msgstr
    if (!text || !references.some((file) => folders.some((folder) => file.startsWith(folder)))) continue
    const id = extractedComments.includes(EXPLICIT_ID) ? msgid : generateMessageId(msgid, msgctxt ?? undefined)
    messages[id] = compileMessage(text, look)
  }
  return messages
}
