/**
 * The script of a page: it turns the pages of long lists, and nothing else. What it builds is made of elements and text
 * nodes, so that no text of a report is ever read as markup.
 */

/** Its text, which is the same on every page, so that one hash permits it. */
export const script = `'use strict'
{
  const drawing = new Set(['svg', 'rect'])
  const build = (markup) => {
    if (typeof markup === 'string') return document.createTextNode(markup)
    const [tag, attributes, children] = markup
    const node = drawing.has(tag)
      ? document.createElementNS('http://www.w3.org/2000/svg', tag)
      : document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
    node.append(...children.map(build))
    return node
  }
  const firsts = new WeakMap()
  const rests = new Map()
  const restOf = (id) => {
    if (!rests.has(id)) rests.set(id, JSON.parse(document.getElementById(id).textContent))
    return rests.get(id)
  }
  const show = (pages, wanted) => {
    const size = Number(pages.dataset.size)
    const total = Number(pages.dataset.total)
    const start = Math.min(Math.max(0, wanted - (wanted % size)), total - 1 - ((total - 1) % size))
    const list = pages.querySelector('.items')
    if (!firsts.has(pages)) firsts.set(pages, [...list.children])
    const shown = start === 0
      ? firsts.get(pages)
      : restOf(pages.dataset.rest).slice(start - size, start).map(build)
    list.replaceChildren(...shown)
    pages.dataset.start = start
    const end = Math.min(total, start + size)
    const [previous, next] = pages.querySelectorAll(':scope > .pager > button')
    previous.setAttribute('aria-disabled', start === 0)
    next.setAttribute('aria-disabled', end === total)
    const number = (count) => count.toLocaleString('en-US')
    pages.querySelector(':scope > .pager > .shown').textContent =
      pages.dataset.noun + ' ' + number(start + 1) + ' to ' + number(end) + ' of ' + number(total)
  }
  document.documentElement.classList.add('scripted')
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button[data-step]')
    if (button === null || button.getAttribute('aria-disabled') === 'true') return
    const pages = button.closest('.pages')
    show(pages, Number(pages.dataset.start ?? 0) + Number(button.dataset.step) * Number(pages.dataset.size))
  })
  document.addEventListener('change', (event) => {
    const pages = event.target.closest('.pager')?.parentElement
    if (pages === undefined || !event.target.validity.valid || event.target.value === '') return
    show(pages, Number(event.target.value) - 1)
  })
}
`
