"""Focused crawling: a topic, and the two stages of SmartCrawler."""
