import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { byteText, wholeNumber } from '#web/i18n/bytes.ts'
import { NOTHING_RECEIVED, type DownloadProgress, download } from '#web/lib/download.ts'
import { useLongWork } from '#web/lib/long-work.ts'
import { LongWork } from '#web/ui/long-work.tsx'
import type { ProgressMark } from '#contract/file-progress.ts'

/** Returns a function that downloads a large file, and the progress of the download. Only one download runs at a time. */
export function useDownload() {
  const { t } = useLingui()
  const { progress, run, cancel } = useLongWork<DownloadProgress>({ left: t`The download was stopped` })
  /** Returns whether the whole file was received. */
  const fetchFile = async (path: string, fileName: string, mark: ProgressMark): Promise<boolean> => {
    const isDownloaded = await run(NOTHING_RECEIVED, async ({ signal, reportProgress }) => {
      await download(path, fileName, { signal, mark, onReceived: reportProgress })
      return true
    })
    return isDownloaded === true
  }
  return { fetchFile, received: progress, cancel }
}

type DownloadWorkProps = { label: string; received: DownloadProgress; onCancel: () => void }

/** The progress of a download. */
export function DownloadWork({ label, received, onCancel }: DownloadWorkProps) {
  const { t } = useLingui()
  const { bytes, transactions, total } = received
  const size = byteText(bytes)
  // The size of the parts before and after the transactions is unknown.
  const count = wholeNumber(transactions)
  const isCounted = total !== null && transactions > 0 && transactions < total
  const text =
    bytes === 0
      ? t`Waiting for the bank…`
      : isCounted
        ? plural(total, { one: `${count} of # transaction`, other: `${count} of # transactions` })
        : t({ message: `${size} received`, comment: 'The progress of a download. Example: 1.2 MB received' })
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
