/** Which files carry snippets: the pages at the root and in `docs`, and every source file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot, sourceFiles } from '../imports.ts'
import { docCommentSnippets, markdownSnippets, type Snippet } from './extract.ts'

/** Every snippet of the project. */
export function collectSnippets(): Snippet[] {
  const docs = existsSync(join(projectRoot, 'docs')) ? readdirSync(join(projectRoot, 'docs'), { recursive: true }) : []
  const pages = [...readdirSync(projectRoot), ...docs.map((file) => join('docs', file as string))]
  return [
    ...pages
      .filter((file) => file.endsWith('.md'))
      .sort()
      .flatMap((file) => markdownSnippets(file, read(file))),
    ...sourceFiles('src').flatMap((file) => docCommentSnippets(file, read(file))),
  ]
}

function read(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8')
}
