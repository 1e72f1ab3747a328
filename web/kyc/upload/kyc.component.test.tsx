import { describe, expect, test, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { type DocumentType, type KycStep, MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import { ERRORS } from '#contract/errors.ts'
import type { Kyc } from '#contract/kyc.ts'
import { readAddress, open, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, delayedAnswer, refusalAnswer, networkError } from '#web/test/bank.ts'

const heading = (title: string) => page.getByRole('heading', { name: title, exact: true })
const line = (title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const upload = button('Upload Document')
const complete = button('Complete Verification')
const uploads = () => changeRequests().filter(({ method }) => method === 'PUT')

const TYPES = { id: 'passport', selfie: 'selfie', address: 'utility_bill' } as const satisfies Record<
  KycStep,
  DocumentType
>

const documentOf = (step: KycStep, type: DocumentType = TYPES[step]) => ({
  id: `${step}-${type}`,
  step,
  type,
  size: 1_000,
  uploadedAt: '2026-01-05T09:00:00.000Z',
})

const ALL_DOCUMENTS = [documentOf('id'), documentOf('selfie'), documentOf('address')]

/** Opens the screen with a mocked bank that stores the uploads. */
async function begin(changes: Partial<Kyc> = {}): Promise<void> {
  let kyc: Kyc = { ...(await bank.recorded('/kyc')), status: 'required', documents: [], ...changes }
  const storeDocument = (step: string | undefined, type: unknown) => {
    const newDocument = documentOf(step as KycStep, type as DocumentType)
    kyc = { ...kyc, documents: [...kyc.documents.filter((document) => document.step !== step), newDocument] }
    return kyc
  }
  bank.get('/kyc', () => kyc)
  bank.put('/kyc/steps/:step/document', ({ params, query }) => storeDocument(params['step'], query.get('type')))
  bank.post('/kyc/specimens/:step', ({ params, json }) => storeDocument(params['step'], json.type))
  const picture = await photo()
  bank.get('/kyc/documents/:id', () => new Response(picture, { headers: { 'content-type': 'image/jpeg' } }) as never)
  await open('/kyc')
}

async function photo(): Promise<File> {
  const canvas = new OffscreenCanvas(64, 48)
  canvas.getContext('2d')?.fillRect(0, 0, 32, 48)
  return new File([await canvas.convertToBlob({ type: 'image/jpeg' })], 'photo.jpg', { type: 'image/jpeg' })
}

/** Returns a file that begins like a JPEG but is not valid. */
function brokenFile(size: number): File {
  const bytes = new Uint8Array(size)
  bytes.set([0xff, 0xd8, 0xff])
  return new File([bytes], 'broken.jpg', { type: 'image/jpeg' })
}

/** Chooses a file through a button that opens the file picker. Returns the file input. */
async function choose(opener: Locator, file: File): Promise<HTMLInputElement> {
  const click = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(() => undefined)
  await opener.click()
  await expect.poll(() => click.mock.contexts.length).toBe(1)
  const input = click.mock.contexts[0] as HTMLInputElement
  click.mockRestore()
  const data = new DataTransfer()
  data.items.add(file)
  input.files = data.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
  return input
}
const chooseFile = (file: File) => choose(button('Choose a File'), file)

describe('the steps', () => {
  test('can be repeated, and another kind of document replaces the first', async () => {
    await begin()
    await page.getByRole('radio', { name: "Driver's License" }).click()
    await upload.click()
    await expect.element(heading('Take a Selfie')).toBeVisible()
    await expect.element(heading('Take a Selfie')).toHaveFocus()
    await line('Identity Document').getByRole('button').click()
    await expect.element(page.getByRole('img', { name: "Driver's License" })).toBeVisible()
    await expect.element(page.getByText("Driver's License").first()).toBeVisible()
    await page.getByRole('radio', { name: 'National ID' }).click()
    await upload.click()
    await expect.element(page.getByRole('status').filter({ hasText: 'Uploaded National ID' })).toBeVisible()
    expect(changeRequests().map(({ path, json }) => [path, json])).toEqual([
      ['/kyc/specimens/id', { type: 'drivers_license' }],
      ['/kyc/specimens/id', { type: 'national_id' }],
    ])
  })

  test('continue with the missing document, even if it is an earlier one', async () => {
    await begin()
    await line('Proof of Address').getByRole('button').click()
    await page.getByRole('radio', { name: 'Bank Statement' }).click()
    await chooseFile(new File(['%PDF-1.7'], 'bill.pdf', { type: 'application/pdf' }))
    await expect.element(findToast('Proof of Address uploaded successfully')).toBeVisible()
    await expect.element(heading('Identity Document')).toBeVisible()
    expect(uploads()[0]?.query.get('type')).toBe('bank_statement')
    expect(uploads()[0]?.headers.get('content-type')).toBe('application/pdf')
  })

  test('begin at the customer’s last step', async () => {
    await begin({ documents: [documentOf('id')] })
    await expect.element(heading('Take a Selfie')).toBeVisible()
    await expect.element(line('Identity Document')).toMatchTextContent('Completed')
    await expect.element(line('Take a Selfie')).toMatchTextContent('Pending')
    expect(complete.query()).toBeNull()
  })

  test('are refused by the bank while one is missing, independent of the screen', async () => {
    await begin({ documents: ALL_DOCUMENTS })
    bank.post('/kyc/submission', refusalAnswer('verification_incomplete'))
    await complete.click()
    await expect.element(findToast('Please complete all verification steps')).toBeVisible()
    expect(readAddress()).toBe('/kyc')
  })

  test('of a customer with an unconfirmed email send the link again, and are submitted after that', async () => {
    await begin({ documents: ALL_DOCUMENTS })
    let isConfirmed = false
    bank.post('/email-confirmation-links', () => new Response(null, { status: 202 }) as never)
    bank.post('/kyc/submission', () =>
      isConfirmed
        ? { status: 'submitted' as const, reason: null, documents: ALL_DOCUMENTS, specimens: false }
        : refusalAnswer('email_unconfirmed'),
    )
    await complete.click()
    await expect.element(findToast(ERRORS.email_unconfirmed.message)).toBeVisible()
    await expect.poll(() => changeRequests().at(-1)?.path).toBe('/email-confirmation-links')
    isConfirmed = true
    await complete.click()
    await expect.element(findToast('KYC verification submitted! Redirecting to dashboard...')).toBeVisible()
  })

  test('accept only the customer’s own documents if there are no specimens', async () => {
    await begin({ specimens: false })
    await expect.element(upload).toBeVisible()
    expect(button('Choose a File').query()).toBeNull()
    await choose(upload, await photo())
    await expect.element(findToast('Identity Document uploaded successfully')).toBeVisible()
  })
})

describe('a case', () => {
  test('that waits for its reviewer shows this', async () => {
    await begin({ status: 'submitted', documents: ALL_DOCUMENTS })
    await expect.element(heading("We're checking your documents")).toBeVisible()
    expect(upload.query()).toBeNull()
  })

  test('that was approved accepts no more documents', async () => {
    await begin({ status: 'approved', documents: ALL_DOCUMENTS })
    await expect.element(heading("You're verified")).toBeVisible()
    expect(upload.query()).toBeNull()
  })

  test('that was rejected shows the reason, and accepts no more documents', async () => {
    await begin({ status: 'rejected', reason: 'The name is another one.' })
    await expect.element(heading("We couldn't verify your identity")).toBeVisible()
    await expect.element(page.getByText('The name is another one.')).toBeVisible()
    expect(upload.query()).toBeNull()
  })

  test('that needs new documents shows the reason, and accepts them', async () => {
    await begin({ status: 'again', reason: { code: 'expired' } })
    await expect.element(heading('We need new documents')).toBeVisible()
    await expect.element(page.getByText('The document has expired.')).toBeVisible()
    await expect.element(upload).toBeVisible()
  })
})

describe('a customer’s own file', () => {
  test('can be dropped on its step', async () => {
    await begin()
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(await photo())
    const card = page.getByRole('region', { name: 'Identity Document' })
    await expect.element(card).toBeVisible()
    const send = (type: string) =>
      card.element().dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    send('dragenter')
    send('dragover')
    await expect.element(card).toMatchTextContent('Drop it here')
    send('drop')
    await expect.element(findToast('Identity Document uploaded successfully')).toBeVisible()
    expect(uploads()).toHaveLength(1)
  })

  test.for([
    [
      'a page called .jpg',
      'Identity Document',
      () => new File(['<!doctype html><script>'], 'passport.jpg', { type: 'image/jpeg' }),
      ERRORS.document_kind_refused.message,
    ],
    [
      'nothing',
      'Identity Document',
      () => new File([], 'empty.jpg', { type: 'image/jpeg' }),
      ERRORS.document_kind_refused.message,
    ],
    [
      'one byte too many',
      'Identity Document',
      () => brokenFile(MAX_DOCUMENT_BYTES + 1),
      ERRORS.document_too_large.message,
    ],
    [
      'a PDF for a face',
      'Take a Selfie',
      () => new File(['%PDF-1.7'], 'me.pdf', { type: 'application/pdf' }),
      ERRORS.photo_kind_refused.message,
    ],
  ] as const)('is refused before any of it is sent: %s', async ([, title, file, message]) => {
    await begin()
    await line(title).getByRole('button').click()
    await chooseFile(file())
    await expect.element(page.getByRole('alert')).toHaveTextContent(message)
    await expect.element(findToast(message)).toBeVisible()
    await expect.element(line(title)).toMatchTextContent('Pending')
    expect(changeRequests()).toEqual([])
    // The same step accepts another file at once.
    await chooseFile(await photo())
    await expect.element(findToast(`${title} uploaded successfully`)).toBeVisible()
  })

  test('that the bank cannot read is refused with its text', async () => {
    await begin()
    bank.put('/kyc/steps/:step/document', refusalAnswer('document_unreadable'))
    await chooseFile(brokenFile(5_000))
    await expect.element(page.getByRole('alert')).toHaveTextContent(ERRORS.document_unreadable.message)
    await expect.element(page.getByText('No preview')).toBeVisible()
    expect(button('Try Again').query()).toBeNull()
  })
})

describe('an interrupted upload', () => {
  test('is retried automatically', async () => {
    await begin()
    let tries = 0
    bank.put('/kyc/steps/:step/document', async () => {
      tries += 1
      if (tries === 1) return networkError()
      return { ...(await bank.recorded('/kyc')), status: 'required' as const, documents: [documentOf('id')] }
    })
    await chooseFile(await photo())
    await expect.element(findToast('Still trying…')).toBeVisible()
    await expect.poll(() => tries).toBe(2)
    await expect.element(findToast('Identity Document uploaded successfully')).toBeVisible()
  })

  test('keeps its file for a manual retry', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await begin()
    bank.put('/kyc/steps/:step/document', networkError())
    await chooseFile(await photo())
    // There are three retries, after one, two and four seconds.
    for (const [index, waitMs] of [1_000, 2_000, 4_000].entries()) {
      await expect.poll(() => uploads().length).toBeGreaterThan(index)
      await vi.advanceTimersByTimeAsync(waitMs)
    }
    await expect.poll(() => uploads().length).toBe(4)
    await expect.element(page.getByRole('alert')).toHaveTextContent(ERRORS.unreachable.message)
    await expect.element(page.getByRole('img', { name: 'Preview of your file' })).toBeVisible()
    await expect.element(line('Identity Document')).toMatchTextContent('Pending')
    const savedKyc = { ...(await bank.recorded('/kyc')), status: 'required' as const, documents: [documentOf('id')] }
    bank.put('/kyc/steps/:step/document', savedKyc)
    await button('Try Again').click()
    await expect.element(findToast('Identity Document uploaded successfully')).toBeVisible()
    expect(uploads()).toHaveLength(5)
  })

  test('can be stopped', async () => {
    await begin()
    const release = Promise.withResolvers<void>()
    const kyc = await bank.recorded('/kyc')
    bank.put('/kyc/steps/:step/document', () => delayedAnswer(release.promise, kyc))
    await chooseFile(await photo())
    const progress = page.getByRole('progressbar', { name: 'Upload' })
    await expect.element(progress).toBeVisible()
    await button('Cancel').click()
    await expect.element(progress).not.toBeInTheDocument()
    await expect.element(upload).toBeEnabled()
    await expect.element(line('Identity Document')).toMatchTextContent('Pending')
    release.resolve()
  })
})

describe('the camera', () => {
  const sheet = page.getByRole('dialog', { name: 'Take a Selfie' })

  async function atSelfie(): Promise<void> {
    await begin()
    await line('Take a Selfie').getByRole('button').click()
    await button('Use Camera').click()
  }

  /** Mocks a camera with a changing picture. Returns a function that counts the active cameras. */
  function giveCamera(): () => number {
    const tracks: MediaStreamTrack[] = []
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = 640
      canvas.height = 480
      let shade = 0
      const drawTimer = setInterval(() => {
        shade = (shade + 16) % 256
        const context = canvas.getContext('2d')
        if (context) context.fillStyle = `rgb(${shade} 90 90)`
        context?.fillRect(0, 0, 640, 480)
      }, 40)
      const stream = canvas.captureStream(25)
      for (const track of stream.getTracks()) {
        const stop = track.stop.bind(track)
        track.stop = () => {
          clearInterval(drawTimer)
          stop()
        }
        tracks.push(track)
      }
      return stream
    })
    return () => tracks.filter(({ readyState }) => readyState === 'live').length
  }

  async function capture(): Promise<void> {
    await expect.element(sheet.getByLabelText('Camera view')).toBeVisible()
    await expect.element(sheet.getByRole('button', { name: 'Capture' })).toBeEnabled()
    await sheet.getByRole('button', { name: 'Capture' }).click()
    await expect.element(sheet.getByRole('img', { name: 'Your photo' })).toBeVisible()
  }

  test('takes a photo, retakes it, uses it, and is off afterwards', async () => {
    const camerasOn = giveCamera()
    await atSelfie()
    await expect.poll(camerasOn).toBe(1)
    await capture()
    await expect.poll(camerasOn).toBe(0)
    await sheet.getByRole('button', { name: 'Retake' }).click()
    await expect.poll(camerasOn).toBe(1)
    await sheet.getByRole('button', { name: 'Close' }).click()
    await expect.poll(camerasOn).toBe(0)

    await button('Use Camera').click()
    await capture()
    await sheet.getByRole('button', { name: 'Use Photo' }).click()
    await expect.element(findToast('Take a Selfie uploaded successfully')).toBeVisible()
    await expect.poll(camerasOn).toBe(0)
    expect(uploads()).toMatchObject([{ path: '/kyc/steps/selfie/document' }])
    expect(uploads()[0]?.headers.get('content-type')).toBe('image/jpeg')
  })

  test('that is missing or not allowed leaves the upload of a file', async () => {
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(new DOMException('', 'NotFoundError'))
    await atSelfie()
    await expect.element(sheet).toMatchTextContent(ERRORS.camera_unavailable.message)
    const input = await choose(sheet.getByRole('button', { name: 'Choose a Photo' }), await photo())
    expect(input.getAttribute('capture')).toBe('user')
    await expect.element(findToast('Take a Selfie uploaded successfully')).toBeVisible()
  })

  test('is closed by Escape', async () => {
    const camerasOn = giveCamera()
    await atSelfie()
    await expect.poll(camerasOn).toBe(1)
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet).not.toBeInTheDocument()
    await expect.poll(camerasOn).toBe(0)
  })
})
