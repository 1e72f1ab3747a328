import { Trans, useLingui } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Mail } from '#contract/mail.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

const htmlQuery = (id: string) =>
  queryOptions({
    queryKey: ['mailbox', id],
    queryFn: ({ signal }) => unwrap(api.sample.mail[':id'].$get({ param: { id } }, withSignal(signal))),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Shows a mail as a mail program renders its HTML. A button switches to the plain text. */
export function MailLetter({ mail }: { mail: Mail }) {
  const [asText, setAsText] = useState(false)
  return (
    <div className="px-2.5 pb-3">
      {/* The button is above the mail, so that it does not move when the mail loads. */}
      <Button variant="quiet" size="small" className="-mt-1 mb-1.5" onClick={() => setAsText(!asText)}>
        {asText ? <Trans>Show Design</Trans> : <Trans>Show Text Only</Trans>}
      </Button>
      {asText ? (
        <p className="px-1.5 text-[0.9375rem] break-words whitespace-pre-line" dir="auto">
          <Linked text={mail.text} />
        </p>
      ) : (
        <AsHtml mail={mail} />
      )}
    </div>
  )
}

function AsHtml({ mail }: { mail: Mail }) {
  const { t } = useLingui()
  const frame = useRef<HTMLIFrameElement>(null)
  const { data, error, refetch } = useQuery(htmlQuery(mail.id))
  if (error && !data) return <LoadFailure error={error} refetch={refetch} />
  if (!data) {
    return (
      <>
        <Loading label={t`Loading the email`} />
        <Skeleton className="h-72 w-full" />
      </>
    )
  }
  return (
    // The frame allows no scripts, so the mail cannot run code. It has the app's origin, so that its height can be read. Links
    // in the mail replace the mailbox.
    <iframe
      ref={frame}
      title={mail.subject}
      sandbox="allow-same-origin allow-top-navigation-by-user-activation"
      srcDoc={data.html.replace('<head>', '<head><base target="_top">')}
      onLoad={() => {
        const { current } = frame
        const body = current?.contentDocument?.body
        if (!current || !body) return
        const fitHeight = () => (current.style.height = `${body.scrollHeight}px`)
        fitHeight()
        new ResizeObserver(fitHeight).observe(body)
      }}
      className="h-72 w-full rounded-control border border-line"
    />
  )
}

/** Shows a text in which web addresses are links. No other part of the text is treated as markup. */
function Linked({ text }: { text: string }) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) =>
    index % 2 === 1 ? (
      // The parts of a mail's text never change their order, so the index is the key.
      // oxlint-disable-next-line react/no-array-index-key
      <a key={index} href={part} dir="ltr" className="font-medium break-all text-primary underline">
        {part}
      </a>
    ) : (
      part
    ),
  )
}
