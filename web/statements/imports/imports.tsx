import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileInput as FileIcon, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ImportPreview, ListedImport } from '#contract/statements.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { messageOf } from '#web/lib/api.ts'
import { useLineUp } from '#web/lib/line.ts'
import { useLongWork } from '#web/lib/long-work.ts'
import { toast } from '#web/lib/toast.ts'
import { type Chosen, readChosen } from '#web/statements/imports/chosen-file.ts'
import { type Going, ImportWork } from '#web/statements/imports/import-work.tsx'
import { ImportedSpending } from '#web/statements/imports/imported-spending.tsx'
import { previewImport, removeImport } from '#web/statements/imports/queries.ts'
import { importsQuery } from '#web/statements/shared/imports-query.ts'
import { dayRange } from '#web/statements/imports/words.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/confirm.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { FileInput, type FileInputHandle } from '#web/ui/file-input.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { useSheets } from '#web/ui/sheet.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

const loadPreview = async () => (await import('#web/statements/imports/preview-sheet.tsx')).PreviewSheet

type Read = { file: Chosen; preview: ImportPreview }

/** Statements of other banks: the way in, what came in, and what it says was spent. */
export function Imports() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(importsQuery)
  return (
    <>
      <Section title={t`Other Banks`}>
        <div className="space-y-2">
          <ImportCard />
          {error && !data ? (
            <Failure error={error} refetch={refetch} />
          ) : data ? (
            data.imports.length > 0 && <ImportRows imports={data.imports} />
          ) : (
            <Card>
              <RowSkeletons count={1} />
            </Card>
          )}
        </div>
      </Section>
      {data && data.months.length > 0 && <ImportedSpending months={data.months} />}
    </>
  )
}

function ImportCard() {
  const { t } = useLingui()
  const files = useRef<FileInputHandle>(null)
  const isUp = useLineUp()
  const sheets = useSheets(loadPreview, true)
  const nothing = t`Cancelled. Nothing was imported`
  const reading = useLongWork<{ going: Going }>({ cancelled: nothing, left: nothing })
  async function readFile(chosen: File): Promise<void> {
    const read = await reading.run({ going: null }, async ({ signal, tell }): Promise<Read> => {
      const file = await readChosen(chosen)
      const onSent = (sent: number) => tell({ going: { file, sent } })
      onSent(0)
      return { file, preview: await previewImport(file.request, { onSent, signal }) }
    })
    if (read) sheets.show(read)
  }
  return (
    <Card className="p-4">
      <p className="text-[0.9375rem] text-pretty text-ink-soft">
        <Trans>
          Add what you spent with another bank to your analytics. It changes nothing in your account here, and you can
          remove it whenever you like.
        </Trans>
      </p>
      <FileInput
        ref={files}
        label={t`A statement of another bank`}
        accept=".csv,.ofx,.qfx,.xml,.txt,text/csv,application/x-ofx,application/xml,text/xml"
        onChoose={(file) => void readFile(file)}
      />
      <Button
        variant="secondary"
        className="mt-3.5 w-full"
        busy={reading.howFar !== null}
        disabled={!isUp}
        icon={<Upload aria-hidden className="size-5" strokeWidth={2} />}
        onClick={() => files.current?.open()}
      >
        <Trans>Import a Statement</Trans>
      </Button>
      {reading.howFar && (
        <ImportWork className="mt-3" going={reading.howFar.going} then="reading" onCancel={reading.cancel} />
      )}
      <p className="mt-2 text-sm text-ink-soft">
        {isUp ? <Trans>A CSV, OFX or camt file of up to 1 MB</Trans> : <Trans>Importing needs a connection.</Trans>}
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
  const [chosen, setChosen] = useState<ListedImport | null>(null)
  const [asking, setAsking] = useState(false)
  const removal = useRemoval(() => setAsking(false))
  const name = chosen?.fileName ?? ''
  return (
    <Card>
      <Rows of={imports}>
        {(one) => (
          <ImportRow
            one={one}
            onRemove={() => {
              removal.reset()
              setChosen(one)
              setAsking(true)
            }}
          />
        )}
      </Rows>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t`Remove this import?`}
        description={name}
        yes={t`Remove Import`}
        no={t`Keep It`}
        danger
        busy={removal.isPending}
        error={removal.error && messageOf(removal.error)}
        onYes={() => chosen && removal.mutate(chosen)}
      >
        <p>
          <Trans>Its payments leave your analytics. You can import the file again.</Trans>
        </p>
      </Confirm>
    </Card>
  )
}

function ImportRow({ one, onRemove }: { one: ListedImport; onRemove: () => void }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const { fileName, count, firstOn, lastOn } = one
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
            <Facts
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
