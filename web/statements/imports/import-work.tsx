import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { byteText } from '#web/i18n/bytes.ts'
import type { ChosenImportFile } from '#web/statements/imports/chosen-file.ts'
import { LongWork } from '#web/ui/long-work.tsx'

/** The progress of an upload; null while the file is being opened. `sent` is the sent fraction of the file, 0 to 1. */
export type ImportProgress = { file: Pick<ChosenImportFile, 'bytes' | 'lines'>; sent: number } | null

type ImportWorkProps = {
  going: ImportProgress
  /** The bank's work after the upload: reading the file, or adding a number of payments. */
  then: 'reading' | { adding: number }
  onCancel: () => void
  className?: string
}

/** Shows the progress of a file from another bank. The bank's own work takes one or two seconds and reports no progress. */
export function ImportWork({ going, then, onCancel, className = '' }: ImportWorkProps) {
  const { t } = useLingui()
  const isSending = going !== null && going.sent < 1
  function text(): string {
    if (going === null) return t`Opening the file…`
    const { bytes, lines } = going.file
    if (isSending) {
      const [sent, all] = [byteText(going.sent * bytes), byteText(bytes)]
      return t({
        message: `Sent ${sent} of ${all}`,
        comment: 'The progress of an upload. Example: Sent 120 kB of 597 kB',
      })
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
