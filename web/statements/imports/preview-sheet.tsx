import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImportQuestion } from '#contract/statement-formats.ts'
import type { ColumnMapping, ImportPreview, ImportRequest } from '#contract/statements.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { useSubmission } from '#web/lib/submission.ts'
import type { ChosenImportFile } from '#web/statements/imports/chosen-file.ts'
import { FoundPayments } from '#web/statements/imports/found-payments.tsx'
import { ImportWork } from '#web/statements/imports/import-work.tsx'
import { MappingFields } from '#web/statements/imports/mapping-fields.tsx'
import { importFile, previewImport } from '#web/statements/imports/queries.ts'
import { type FileFormat, FileFormatFields } from '#web/statements/imports/file-format-fields.tsx'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Sheet, type SheetsProps } from '#web/ui/sheet.tsx'

type ReadFile = { file: ChosenImportFile; preview: ImportPreview }

function useKeeping(file: ChosenImportFile) {
  const { t } = useLingui()
  const [sentShare, setSent] = useState(0)
  const submission = useSubmission({
    send: (request: ImportRequest, key) => importFile(request, key, setSent),
    loading: () => t`Importing…`,
    success: ({ added }) => ({ message: plural(added, { one: '# payment imported', other: '# payments imported' }) }),
    outcome: () => ({
      sent: t`Your file was imported`,
      notSent: t`Canceled. Nothing was imported`,
    }),
  })
  const submit = (request: ImportRequest) => {
    setSent(0)
    return submission.submit(request)
  }
  return { submit, cancel: submission.cancel, going: submission.busy ? { file, sent: sentShare } : null }
}

/**
 * Returns the preview of a file and a function that changes how the file is read. Each change requests a new preview. A change
 * can also answer questions of the bank.
 */
function useReading({ file, preview: firstPreview }: ReadFile) {
  const [request, setRequest] = useState(file.request)
  const [answeredQuestions, setAnswered] = useState<ReadonlySet<ImportQuestion>>(new Set())
  const inFlight = useRef<AbortController | null>(null)
  useEffect(() => () => inFlight.current?.abort(), [])
  const newPreview = useMutation({
    mutationFn: (changedRequest: ImportRequest) => {
      // A new request makes the previous one obsolete.
      inFlight.current?.abort()
      const { signal } = (inFlight.current = new AbortController())
      return previewImport(changedRequest, { signal })
    },
    retry: false,
  })
  const preview = newPreview.data ?? firstPreview
  const open = new Set(
    [...firstPreview.questions, ...preview.questions].filter((question) => !answeredQuestions.has(question)),
  )
  const change = (part: Partial<ImportRequest>, answers: readonly ImportQuestion[] = []) => {
    const changedRequest = { ...request, ...part }
    setRequest(changedRequest)
    setAnswered((before) => new Set([...before, ...answers]))
    newPreview.mutate(changedRequest)
  }
  return { request, preview, open, change, problem: errorMessage(newPreview.error), isPending: newPreview.isPending }
}

type Reading = ReturnType<typeof useReading>

/** Shows the content of a file before it is imported. The customer can correct how it was read. */
export function PreviewSheet({ open, shown: firstReading, close: onClose }: SheetsProps<ReadFile, null>) {
  const { t } = useLingui()
  const reading = useReading(firstReading)
  const { request, preview, problem } = reading
  const { submit, cancel, going } = useKeeping(firstReading.file)
  const busy = going !== null
  const fresh = preview.count - preview.duplicates - (request.alike === 'leave_out' ? preview.alike : 0)
  const addPayments = async () => {
    if ((await submit(request)) !== null) onClose()
  }
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose()
      }}
      title={t`Check the import`}
      description={request.fileName}
      footer={
        <>
          {going && <ImportWork className="mb-3" going={going} then={{ adding: fresh }} onCancel={cancel} />}
          <Button
            className="w-full"
            busy={busy || reading.isPending}
            disabled={fresh === 0 || problem !== null || reading.open.size > 0}
            onClick={() => void addPayments()}
          >
            <Plural value={fresh} _0="Nothing New to Import" one="Import # Payment" other="Import # Payments" />
          </Button>
        </>
      }
    >
      <div className="space-y-5">
        {reading.open.size > 0 && (
          <p
            role="status"
            className="rounded-control bg-warning-subtle px-4 py-3 text-sm font-medium text-pretty text-warning"
          >
            <Trans>This file can be read in more than one way. Please choose the right one below.</Trans>
          </p>
        )}
        {problem === null ? (
          <FoundPayments preview={preview} />
        ) : (
          <p role="alert" className="rounded-control bg-danger-subtle px-4 py-3 text-sm font-medium text-danger">
            {problem}
          </p>
        )}
        {preview.alike > 0 && <Alike reading={reading} />}
        <Corrections reading={reading} />
      </div>
    </Sheet>
  )
}

/** Asks about payments that resemble earlier imported ones. Only the customer can decide whether they are duplicates. */
function Alike({ reading: { request, preview, change } }: { reading: Reading }) {
  const { t } = useLingui()
  return (
    <div className="space-y-2">
      <p className="text-sm font-medium text-pretty">
        <Plural
          value={preview.alike}
          one="# payment may already be here from another file."
          other="# payments may already be here from another file."
        />
      </p>
      <SelectField
        label={t`Possible Duplicates`}
        options={[
          { value: 'import', label: t`Import them` },
          { value: 'leave_out', label: t`Skip them` },
        ]}
        value={request.alike}
        placeholder={t`Choose…`}
        onChange={(alike) => change({ alike }, ['alike'])}
      />
    </div>
  )
}

/** The questions about columns, as opposed to those about the format of the file. */
const OF_COLUMNS = ['columns', 'fee'] as const

/** Returns the format of a table. If a column separates money in from money out, the signs of the amounts have no meaning. */
const writingOf = (mapping: ColumnMapping): FileFormat => ({
  ...mapping,
  spending: mapping.moneyIn === null && mapping.direction === null ? mapping.spending : null,
})

function Corrections({ reading: { request, preview, open, change } }: { reading: Reading }) {
  const isTable = preview.format === 'csv'
  const mapping = request.mapping ?? preview.mapping
  const ofFile: FileFormat = {
    dateFormat: preview.dateFormat,
    decimalMark: preview.decimalMark,
    spending: preview.spending,
  }
  const changeColumns = (next: ColumnMapping) =>
    change({ mapping: next }, mapping?.fee === next.fee ? ['columns'] : OF_COLUMNS)
  const changeWriting = (part: Partial<FileFormat>) =>
    change(
      isTable && mapping ? { mapping: { ...mapping, ...(part as Partial<ColumnMapping>) } } : part,
      Object.keys(part) as ImportQuestion[],
    )
  return (
    <>
      {(mapping || ofFile.decimalMark || !preview.isEncodingCertain) && (
        <FileFormatFields
          writing={isTable && mapping ? writingOf(mapping) : ofFile}
          encoding={preview.isEncodingCertain ? null : preview.encoding}
          open={open}
          onWriting={changeWriting}
          onEncoding={(encoding) => change({ encoding })}
        />
      )}
      {isTable && (
        <MappingFields columns={preview.columns} mapping={mapping} asksFee={open.has('fee')} onChange={changeColumns} />
      )}
    </>
  )
}
