// @vitest-environment happy-dom
import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { router } from '#web/app/routes.tsx'
import { ARTICLES } from '#web/help/shared/articles.ts'

test.each(ARTICLES)('help links from $id to $path, which is a screen of its own', ({ path }) => {
  expect(matchRoutes(router.routes, path)?.at(-1)?.route.path).toBe(path)
})
