import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { byteText, wholeNumber } from '#web/i18n/bytes.ts'
import { NOTHING_RECEIVED, type Received, download } from '#web/lib/download.ts'
import { useLongWork } from '#web/lib/long-work.ts'
import { LongWork } from '#web/ui/long-work.tsx'
import type { Mark } from '#contract/file-progress.ts'

/** Downloads one large file at a time. */
export function useDownload() {
  const { t } = useLingui()
  const { howFar, run, cancel } = useLongWork<Received>({ left: t`The download was stopped` })
  /** Answers whether the file has come. */
  const fetchFile = async (path: string, fileName: string, mark: Mark): Promise<boolean> => {
    const done = await run(NOTHING_RECEIVED, async ({ signal, tell }) => {
      await download(path, fileName, { signal, mark, onReceived: tell })
      return true
    })
    return done === true
  }
  return { fetchFile, received: howFar, cancel }
}

type DownloadWorkProps = { label: string; received: Received; onCancel: () => void }

/** How much of a file has come. */
export function DownloadWork({ label, received, onCancel }: DownloadWorkProps) {
  const { t } = useLingui()
  const { bytes, transactions, total } = received
  const size = byteText(bytes)
  // Of what comes before and after the transactions, nobody knows how much it is.
  const count = wholeNumber(transactions)
  const isCounted = total !== null && transactions > 0 && transactions < total
  const text =
    bytes === 0
      ? t`Waiting for the bank…`
      : isCounted
        ? plural(total, { one: `${count} of # transaction`, other: `${count} of # transactions` })
        : t({ message: `${size} received`, comment: 'Of a file: "1.2 MB received"' })
  return (
    <LongWork
      className="px-4 pt-2 pb-3"
      label={label}
      fraction={isCounted ? transactions / total : null}
      text={text}
      onCancel={onCancel}
    />
  )
}
