import { SaxesParser } from 'saxes'
import { Refusal } from '#contract/errors.ts'

/** An element of XML: its name without a prefix, what it says itself, and what is in it. */
export type XmlElement = { name: string; attributes: Record<string, string>; text: string; children: XmlElement[] }

/** No message of a bank nests deeper. */
const DEPTH_MOST = 40
/** The characters that are kept of what an element says, spaces before it aside: no name, account or amount has more. */
const TEXT_MOST = 1_000

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * The root of an XML document, which anybody may have written. Nothing is looked up or declared: throws Refusal `import_unreadable` for a document
 * type, an entity beyond XML's five, anything that is not well-formed, and what nests too deep.
 */
export function readXml(text: string): XmlElement {
  const parser = new SaxesParser()
  const root: XmlElement = { name: '', attributes: {}, text: '', children: [] }
  const path = [root]
  const refuse = (cause?: Error) => {
    throw new Refusal('import_unreadable', undefined, { cause })
  }
  parser.on('doctype', () => refuse())
  parser.on('error', refuse)
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name: withoutPrefix(name), attributes, text: '', children: [] }
    path.at(-1)?.children.push(element)
    path.push(element)
    if (path.length > DEPTH_MOST) refuse()
  })
  const say = (part: string) => {
    const element = path.at(-1)
    if (!element || element.text.length >= TEXT_MOST) return
    element.text += (element.text === '' ? part.trimStart() : part).slice(0, TEXT_MOST)
  }
  parser.on('text', say)
  parser.on('cdata', say)
  parser.on('closetag', () => path.pop())
  parser.write(text).close()
  const [document] = root.children
  return document ?? root
}

/** The elements at the end of a path of names. */
export const elementsAt = (element: XmlElement, ...names: string[]): XmlElement[] =>
  names.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  )

/** What the first of them says, without spaces around it; '' where there is none. */
export const textAt = (element: XmlElement, ...names: string[]): string =>
  elementsAt(element, ...names)[0]?.text.trim() ?? ''
