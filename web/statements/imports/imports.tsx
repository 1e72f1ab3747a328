import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileInput as FileIcon, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ImportPreview, ListedImport } from '#contract/statements.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { messageOf } from '#web/lib/api.ts'
import { useIsConnected } from '#web/lib/connection.ts'
import { useLongWork } from '#web/lib/long-work.ts'
import { toast } from '#web/lib/toast.ts'
import { type ChosenImportFile, readChosen } from '#web/statements/imports/chosen-file.ts'
import { type ImportProgress, ImportWork } from '#web/statements/imports/import-work.tsx'
import { ImportedSpendingView } from '#web/statements/imports/imported-spending.tsx'
import { previewImport, removeImport } from '#web/statements/imports/queries.ts'
import { importsQuery } from '#web/statements/shared/imports-query.ts'
import { dayRange } from '#web/statements/imports/words.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/confirm.tsx'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FileInput, type FileInputHandle } from '#web/ui/file-input.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

const loadPreview = async () => (await import('#web/statements/imports/preview-sheet.tsx')).PreviewSheet

type FileReading = { file: ChosenImportFile; preview: ImportPreview }

/** Shows the import of statements from other banks, the past imports and their spending. */
export function Imports() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(importsQuery)
  return (
    <>
      <Section title={t`Other Banks`}>
        <div className="space-y-2">
          <ImportCard />
          {error && !data ? (
            <LoadFailure error={error} refetch={refetch} />
          ) : data ? (
            data.imports.length > 0 && <ImportRows imports={data.imports} />
          ) : (
            <Card>
              <RowSkeletons count={1} />
            </Card>
          )}
        </div>
      </Section>
      {data && data.months.length > 0 && <ImportedSpendingView months={data.months} />}
    </>
  )
}

function ImportCard() {
  const { t } = useLingui()
  const files = useRef<FileInputHandle>(null)
  const isUp = useIsConnected()
  const sheets = useSheets(loadPreview, true)
  const canceledText = t`Canceled. Nothing was imported`
  const reading = useLongWork<{ going: ImportProgress }>({ canceledText, left: canceledText })
  async function readFile(chosenFile: File): Promise<void> {
    const fileReading = await reading.run({ going: null }, async ({ signal, reportProgress }): Promise<FileReading> => {
      const file = await readChosen(chosenFile)
      const onSent = (sentShare: number) => reportProgress({ going: { file, sent: sentShare } })
      onSent(0)
      return { file, preview: await previewImport(file.request, { onSent, signal }) }
    })
    if (fileReading) sheets.show(fileReading)
  }
  return (
    <Card className="p-4">
      <p className="text-[0.9375rem] text-pretty text-ink-soft">
        <Trans>
          Add your spending from another bank to your analytics. Your account here stays the same, and you can remove
          the import at any time.
        </Trans>
      </p>
      <FileInput
        ref={files}
        label={t`A statement from another bank`}
        accept=".csv,.ofx,.qfx,.xml,.txt,text/csv,application/x-ofx,application/xml,text/xml"
        onChoose={(file) => void readFile(file)}
      />
      <Button
        variant="secondary"
        className="mt-3.5 w-full"
        busy={reading.progress !== null}
        disabled={!isUp}
        icon={<Upload aria-hidden className="size-5" strokeWidth={2} />}
        onClick={() => files.current?.open()}
      >
        <Trans>Import a Statement</Trans>
      </Button>
      {reading.progress && (
        <ImportWork className="mt-3" going={reading.progress.going} then="reading" onCancel={reading.cancel} />
      )}
      <p className="mt-2 text-sm text-ink-soft">
        {isUp ? (
          <Trans>A CSV, OFX or camt file of up to 1 MB</Trans>
        ) : (
          <Trans>You need to be online to import a statement.</Trans>
        )}
      </p>
      {sheets.render(null)}
    </Card>
  )
}

function useRemoval(onDone: () => void) {
  const { t } = useLingui()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ListedImport) => removeImport(id),
    onSuccess: () => {
      toast.success(t`Import removed`)
      onDone()
    },
    onSettled: () => void queries.invalidateQueries(),
    retry: false,
  })
}

function ImportRows({ imports }: { imports: ListedImport[] }) {
  const { t } = useLingui()
  const [chosenImport, setChosen] = useState<ListedImport | null>(null)
  const [isAsking, setAsking] = useState(false)
  const removal = useRemoval(() => setAsking(false))
  const name = chosenImport?.fileName ?? ''
  return (
    <Card>
      <Rows of={imports}>
        {(statement) => (
          <ImportRow
            statement={statement}
            onRemove={() => {
              removal.reset()
              setChosen(statement)
              setAsking(true)
            }}
          />
        )}
      </Rows>
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Remove this import?`}
        description={name}
        yes={t`Remove Import`}
        no={t`Keep It`}
        danger
        busy={removal.isPending}
        error={removal.error && messageOf(removal.error)}
        onYes={() => chosenImport && removal.mutate(chosenImport)}
      >
        <p>
          <Trans>Its payments will be removed from your analytics. You can import the file again.</Trans>
        </p>
      </Confirm>
    </Card>
  )
}

function ImportRow({ statement, onRemove }: { statement: ListedImport; onRemove: () => void }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const { fileName, count, firstOn, lastOn } = statement
  const days = dayRange(firstOn, lastOn, today)
  return (
    <div className="@container px-4">
      <div className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
        <RowIcon icon={FileIcon} tint="blue" />
        <div className="min-w-0 flex-1 basis-32">
          <div className="font-medium break-words">
            <bdi>{fileName}</bdi>
          </div>
          <div className="text-sm text-ink-soft">
            <InlineFacts
              facts={[
                { key: 'count', fact: <Plural value={count} one="# payment" other="# payments" /> },
                ...(days === null ? [] : [{ key: 'days', fact: days }]),
              ]}
            />
          </div>
        </div>
        <Button variant="quiet" size="small" aria-label={t`Remove ${fileName}`} className="ms-auto" onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      </div>
    </div>
  )
}
