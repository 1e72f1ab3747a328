import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { byteText } from '#web/i18n/bytes.ts'
import type { Chosen } from '#web/statements/imports/chosen-file.ts'
import { LongWork } from '#web/ui/long-work.tsx'

/** How far a file is on its way into the bank: what of it has gone out, 0 to 1; null while it is opened. */
export type Going = { file: Pick<Chosen, 'bytes' | 'lines'>; sent: number } | null

type ImportWorkProps = {
  going: Going
  /** What the bank does once it has the file: it reads it, or adds so many payments. */
  then: 'reading' | { adding: number }
  onCancel: () => void
  className?: string
}

/** How far a file of another bank is. What the bank itself does with it takes a second or two, of which it tells nothing. */
export function ImportWork({ going, then, onCancel, className = '' }: ImportWorkProps) {
  const { t } = useLingui()
  const isSending = going !== null && going.sent < 1
  function text(): string {
    if (going === null) return t`Opening the file…`
    const { bytes, lines } = going.file
    if (isSending) {
      const [sent, all] = [byteText(going.sent * bytes), byteText(bytes)]
      return t({ message: `Sent ${sent} of ${all}`, comment: 'Of a file: "Sent 120 kB of 597 kB"' })
    }
    if (then === 'reading') {
      return plural(lines, { one: 'Reading # line…', other: 'Reading # lines…' })
    }
    const { adding } = then
    return plural(adding, { one: 'Adding # payment…', other: 'Adding # payments…' })
  }
  return (
    <LongWork
      className={className}
      label={t`Import a Statement`}
      fraction={isSending ? going.sent : null}
      text={text()}
      onCancel={onCancel}
    />
  )
}
